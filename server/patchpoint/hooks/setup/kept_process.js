// Written by `patchpoint setup AGENT`; `patchpoint setup AGENT --remove` deletes this file.
// It calls `patchpoint hook`, which takes a checkpoint, and waits for it; it decides nothing and never throws.
import { spawn } from "node:child_process";

const COMMAND = ["patchpoint"];

// The hook gives up by itself, long before.
const WAIT_MS = 20_000;

// One process answers all events of a turn: a line is an event, and an empty line ends its answer.
let current;

function start() {
  const child = spawn(COMMAND[0], [...COMMAND.slice(1), "hook", "AGENT", "--lines"], {
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true,
  });
  const started = { child, waiting: [] };
  let rest = "";
  let answer = [];
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (line !== "") {
        answer.push(line);
        continue;
      }
      started.waiting.shift()?.answered(answer.join("\n"));
      answer = [];
    }
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
  if (tries === 0) return resolve("");
  try {
    current ??= start();
    current.waiting.push({ answered: resolve, unanswered: () => ask(line, tries - 1, resolve) });
    current.child.stdin.write(line);
  } catch {
    resolve("");
  }
}

// Returns what the hook prints.
async function hook(data) {
  let timer;
  const answer = await new Promise((resolve) => {
    timer = setTimeout(() => resolve(""), WAIT_MS);
    ask(`${JSON.stringify(data)}\n`, 2, resolve);
  });
  clearTimeout(timer);
  return answer;
}

// It ends when it has answered what it was asked; the next event starts another one.
function end() {
  try {
    current?.child.stdin.end();
  } catch {}
  current = undefined;
}

