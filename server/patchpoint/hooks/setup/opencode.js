// Written by `patchpoint setup opencode`; `patchpoint setup opencode --remove` deletes this file.
// It calls `patchpoint hook`, which takes a checkpoint, and waits for it; it decides nothing and never throws.
import { spawn } from "node:child_process";

const COMMAND = ["patchpoint"];

// The hook gives up by itself, long before.
const WAIT_MS = 20_000;

// One process answers all events of a turn: a line is an event, and an empty line says that it was answered.
let current;

function start() {
  const child = spawn(COMMAND[0], [...COMMAND.slice(1), "hook", "opencode", "--lines"], {
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true,
  });
  const started = { child, waiting: [] };
  let rest = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line === "") started.waiting.shift()?.answered();
  });
  const ended = () => {
    if (current === started) current = undefined;
    for (const each of started.waiting.splice(0)) each.unanswered();
  };
  child.on("error", ended);
  child.on("close", ended);
  child.stdin.on("error", () => {});
  for (const each of [child, child.stdin, child.stdout]) each.unref?.();
  return started;
}

function ask(line, tries, resolve) {
  if (tries === 0) return resolve();
  try {
    current ??= start();
    current.waiting.push({ answered: resolve, unanswered: () => ask(line, tries - 1, resolve) });
    current.child.stdin.write(line);
  } catch {
    resolve();
  }
}

async function hook(data) {
  let timer;
  await new Promise((resolve) => {
    timer = setTimeout(resolve, WAIT_MS);
    ask(`${JSON.stringify(data)}\n`, 2, resolve);
  });
  clearTimeout(timer);
}

// It ends when it has answered what it was asked; the next event starts another one.
function end() {
  try {
    current?.child.stdin.end();
  } catch {}
  current = undefined;
}

const promptOf = (parts) =>
  (parts ?? [])
    .filter((part) => part?.type === "text" && !part.synthetic)
    .map((part) => part.text)
    .join("\n");

// Tools that change no file.
const READERS = new Set([
  "codesearch",
  "glob",
  "grep",
  "list",
  "lsp",
  "question",
  "read",
  "skill",
  "task",
  "todoread",
  "todowrite",
  "webfetch",
  "websearch",
]);

// The message that each session works on; only what announces it names it.
const messages = new Map();

const step = (event, input, args, directory) =>
  READERS.has(input?.tool)
    ? undefined
    : hook({
        event,
        sessionID: input?.sessionID,
        messageID: messages.get(input?.sessionID),
        callID: input?.callID,
        directory,
        tool: input?.tool,
        args,
      });

export const Patchpoint = async ({ directory }) => ({
  "chat.message": (input, output) => {
    const messageID = input?.messageID ?? output?.message?.id;
    messages.set(input?.sessionID, messageID);
    return hook({
      event: "chat.message",
      sessionID: input?.sessionID,
      messageID,
      directory,
      prompt: promptOf(output?.parts),
    });
  },
  "tool.execute.before": async (input, output) => step("tool.execute.before", input, output?.args, directory),
  "tool.execute.after": async (input) => step("tool.execute.after", input, input?.args, directory),
  event: async ({ event }) => {
    if (event?.type === "session.idle") {
      const sessionID = event.properties?.sessionID;
      await hook({ event: "session.idle", sessionID, messageID: messages.get(sessionID), directory });
      end();
    }
  },
});
