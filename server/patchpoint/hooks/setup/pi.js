// Tools that change no file.
const READERS = new Set(["find", "grep", "ls", "read"]);

// The prompt that each session works on, by its time: pi gives it no name.
const prompts = new Map();

function about(ctx, event, more) {
  const session = ctx.sessionManager.getSessionId();
  if (event === "UserPromptSubmit") prompts.set(session, new Date().toISOString());
  return { hook_event_name: event, session_id: session, turn_id: prompts.get(session), cwd: ctx.cwd, ...more };
}

async function step(ctx, event, tool, more) {
  if (READERS.has(tool.toolName)) return;
  const named = { tool_name: tool.toolName, tool_use_id: tool.toolCallId, tool_input: tool.input };
  await hook(about(ctx, event, { ...named, ...more }));
}

// What the model is to know with its prompt: files that were restored meanwhile.
function messageOf(answer) {
  try {
    const content = JSON.parse(answer).hookSpecificOutput.additionalContext;
    return { message: { customType: "patchpoint", content, display: true } };
  } catch {
    return undefined;
  }
}

export default function patchpoint(pi) {
  pi.on("before_agent_start", async (event, ctx) =>
    messageOf(await hook(about(ctx, "UserPromptSubmit", { prompt: event.prompt }))),
  );
  pi.on("tool_call", async (event, ctx) => {
    await step(ctx, "PreToolUse", event);
  });
  pi.on("tool_result", async (event, ctx) => {
    await step(ctx, "PostToolUse", event, { tool_response: { success: !event.isError } });
  });
  pi.on("agent_end", async (_event, ctx) => {
    await hook(about(ctx, "Stop"));
    end();
  });
}
