"""The agents that are installed here, how each is run without an account, and no test where one is not."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

INSTALLED = Path(os.environ.get("PATCHPOINT_AGENTS", os.devnull))
"""Where tests/agents/install.sh puts what it installs. `make test-agents` names it; other runs try none."""

NOWHERE = "http://127.0.0.1:9"


@dataclass(frozen=True)
class RealAgent:
    """One agent: its program, and what has it ask a model at an address of this machine."""

    name: str
    program: str
    """Below the folder that npm installs into."""
    arguments: Callable[[str], list[str]]
    """The words that run one prompt and allow every tool."""
    variables: Callable[[str], Mapping[str, str]]
    """The environment variables for the model at an address."""
    configure: Callable[[Path, Path, str], None]
    """Write what cannot be said otherwise, for a home folder, a project and the address."""

    def path(self) -> str:
        """Return the path of the program; skip the test without it."""
        found = INSTALLED / "node_modules" / self.program
        if not found.exists():
            pytest.skip(f"There is no {self.name} here; `make test-agents` installs it.")
        return str(found)


def environment(home: Path, programs: Path) -> dict[str, str]:
    """Return an environment in which an agent knows nobody's account and reaches no other machine."""
    path = os.pathsep.join((str(programs), str(INSTALLED / "node_modules" / ".bin"), os.defpath))
    away = {"HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE, "NO_PROXY": "127.0.0.1,localhost"}
    return {
        "HOME": str(home),
        "PATH": path,
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        "PATCHPOINT_HOOK_STAY": "20",
        **away,
    }


def _nothing(home: Path, project: Path, address: str) -> None:
    pass


def _configure_codex(home: Path, project: Path, address: str) -> None:
    (home / ".codex").mkdir(exist_ok=True)
    (home / ".codex" / "config.toml").write_text(
        'model = "gpt-5.5"\nmodel_provider = "here"\n\n'
        f'[model_providers.here]\nname = "here"\nbase_url = "{address}/v1"\nwire_api = "responses"\n'
        f'env_key = "HERE"\n\n[projects."{project}"]\ntrust_level = "trusted"\n',
        encoding="utf-8",
    )


def _configure_gemini(home: Path, project: Path, address: str) -> None:
    (home / ".gemini").mkdir(exist_ok=True)
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    (home / ".gemini" / "settings.json").write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")


def _configure_opencode(home: Path, project: Path, address: str) -> None:
    _configure_like_opencode(home / ".config" / "opencode" / "opencode.json", address)


def _configure_kilo(home: Path, project: Path, address: str) -> None:
    _configure_like_opencode(home / ".config" / "kilo" / "kilo.json", address)


def _configure_like_opencode(file: Path, address: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    provider = {"options": {"baseURL": f"{address}/v1", "apiKey": "none"}, "models": {"m": {"name": "m"}}}
    wanted = {"autoupdate": False, "share": "disabled", "permission": "allow", "model": "anthropic/m"}
    settings = {**wanted, "small_model": "anthropic/m", "provider": {"anthropic": provider}}
    file.write_text(json.dumps(settings), encoding="utf-8")


def _configure_droid(home: Path, project: Path, address: str) -> None:
    (home / ".factory").mkdir(exist_ok=True)
    here = {"model": "m", "displayName": "m", "baseUrl": address, "apiKey": "none", "provider": "anthropic"}
    settings = {
        "customModels": [{**here, "maxOutputTokens": 1000}],
        "sessionDefaultSettings": {"model": "custom:m-0"},
    }
    (home / ".factory" / "settings.json").write_text(json.dumps(settings, indent=2), encoding="utf-8")


def _configure_pi(home: Path, project: Path, address: str) -> None:
    (home / ".pi" / "agent").mkdir(parents=True, exist_ok=True)
    here = {"baseUrl": address, "api": "anthropic-messages", "apiKey": "none", "models": [{"id": "m"}]}
    models = {"providers": {"here": here}}
    (home / ".pi" / "agent" / "models.json").write_text(json.dumps(models), encoding="utf-8")


REAL_AGENTS = {
    "claude": RealAgent(
        "claude",
        "@anthropic-ai/claude-code-linux-x64/claude",
        lambda prompt: ["--print", prompt, "--allowedTools", "Read,Edit,Write,Bash"],
        lambda address: {
            "ANTHROPIC_BASE_URL": address,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
        _nothing,
    ),
    "codex": RealAgent(
        "codex",
        ".bin/codex",
        lambda prompt: [
            *("exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"),
            prompt,
        ],
        lambda address: {"HERE": "none"},
        _configure_codex,
    ),
    "gemini": RealAgent(
        "gemini",
        ".bin/gemini",
        lambda prompt: ["--model", "gemini-2.5-pro", "--yolo", "--prompt", prompt],
        lambda address: {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": address,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
        _configure_gemini,
    ),
    "copilot": RealAgent(
        "copilot",
        ".bin/copilot",
        lambda prompt: ["--prompt", prompt, "--allow-all-tools", "--trust-folder"],
        lambda address: {
            "COPILOT_PROVIDER_TYPE": "anthropic",
            "COPILOT_PROVIDER_BASE_URL": address,
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": "claude-sonnet-4.5",
            "COPILOT_OFFLINE": "true",
        },
        _nothing,
    ),
    "opencode": RealAgent(
        "opencode",
        "opencode-linux-x64/bin/opencode",
        lambda prompt: ["run", prompt],
        lambda address: {"OPENCODE_DISABLE_MODELS_FETCH": "1", "npm_config_offline": "true"},
        _configure_opencode,
    ),
    "pi": RealAgent(
        "pi",
        ".bin/pi",
        lambda prompt: ["--provider", "here", "--model", "m", "--print", prompt],
        lambda address: {"PI_OFFLINE": "1"},
        _configure_pi,
    ),
    "kilo": RealAgent(
        "kilo",
        "@kilocode/cli-linux-x64/bin/kilo",
        lambda prompt: ["run", "--auto", prompt],
        lambda address: {"KILO_DISABLE_MODELS_FETCH": "1", "npm_config_offline": "true"},
        _configure_kilo,
    ),
    "droid": RealAgent(
        "droid",
        "@factory/cli-linux-x64/bin/droid",
        lambda prompt: ["exec", "--skip-permissions-unsafe", "--model", "custom:m-0", prompt],
        lambda address: {"FACTORY_API_KEY": "none", "FACTORY_API_BASE_URL": address},
        _configure_droid,
    ),
    "qwen": RealAgent(
        "qwen",
        ".bin/qwen",
        lambda prompt: ["--auth-type", "anthropic", "--model", "m", "--yolo", "--prompt", prompt],
        lambda address: {
            "ANTHROPIC_BASE_URL": address,
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_MODEL": "m",
        },
        _nothing,
    ),
}
