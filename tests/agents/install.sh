#!/usr/bin/env bash
# Installs the agents that tests/agents starts, from the registry that npm is set up with, into the folder
# $PATCHPOINT_AGENTS (by default below the user's cache). None of their install scripts is run. The versions are those
# of docs/agents.md; others with AGENTS='name@version ...'.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${PATCHPOINT_AGENTS:-${XDG_CACHE_HOME:-$HOME/.cache}/patchpoint/agents}
read -r -a packages <<< "${AGENTS:-$(sed -n 's/^| .* | `npm install \(.*\)` | .*/\1/p' docs/agents.md | tr '\n' ' ')}"
mkdir -p "$folder"
[ -f "$folder/package.json" ] || echo '{"private": true}' > "$folder/package.json"
npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel error "${packages[@]}"
