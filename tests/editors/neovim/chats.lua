-- Answers of chat plugins. What each fires, and where it keeps the answer, is as in its own source; no model is asked.
local act = require("acting")
local seen = { notified = {}, answers = {} }
local answer = act.read(vim.env.ANSWER)

vim.notify = function(message)
  table.insert(seen.notified, message)
end
vim.api.nvim_create_autocmd("User", {
  pattern = "PatchpointAnswer",
  callback = function(event)
    table.insert(seen.answers, { event.data.chat, event.data.session, event.data.message, event.data.text == answer })
  end,
})
local function notified(text)
  act.wait("the message '" .. text .. "'", function()
    return #vim.tbl_filter(function(message)
      return message:find(text, 1, true) ~= nil
    end, seen.notified) > 0
  end)
  local found = seen.notified[#seen.notified]
  seen.notified = {}
  return found
end

require("patchpoint").setup({ chats = true, settings = { patchpoint = { match = { minMargin = 0.1 } } } })
vim.cmd("Patchpoint answer")
seen.before_any = notified("no chat has answered yet")
local _, client = act.open("till/tax.py")
seen.settings_without_chats = client.config.chats == nil

-- codecompanion: chats by their buffers, of type nofile; a tool's call is a message of the model without text.
local chats = {}
package.loaded["codecompanion"] = {
  buf_get_chat = function(buffer)
    return chats[buffer]
  end,
}
local function codecompanion(id, messages)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].filetype = "codecompanion"
  chats[buffer] = { id = id, bufnr = buffer, messages = messages }
  vim.api.nvim_exec_autocmds("User", { pattern = "CodeCompanionChatDone", data = { bufnr = buffer, id = id } })
end
codecompanion(11, {
  { role = "system", content = "You are of use." },
  { role = "user", content = "Round the tax." },
  { role = "llm", tool_calls = { { id = "1" } } },
  { role = "tool", content = "read" },
  { role = "llm", content = answer },
})
seen.codecompanion = notified("`:Patchpoint answer` applies them")
-- A chat whose request was stopped says so with the same event; the answer before is not a new one.
codecompanion(12, {
  { role = "user", content = "Round the tax." },
  { role = "llm", content = answer },
  { role = "user", content = "And the basket." },
})
vim.api.nvim_exec_autocmds("User", { pattern = "CodeCompanionChatDone", data = { bufnr = 9999, id = 13 } })
-- Neither has an answer that only explains anything to offer.
codecompanion(14, { { role = "user", content = "Why?" }, { role = "llm", content = "Because it is so." } })
act.wait("the second answer", function()
  return #seen.answers == 2
end)

-- gp.nvim: a chat is a file below its folder, and the event has no data.
local folder = vim.fn.tempname()
vim.fn.mkdir(folder, "p")
package.loaded["gp"] = {
  config = { chat_dir = folder, chat_user_prefix = "💬:", chat_assistant_prefix = { "🤖:", "[{{agent}}]" } },
}
local function gp(name, lines)
  vim.fn.writefile(lines, name)
  vim.cmd.edit(name)
  vim.cmd("doautocmd User GpDone")
end
local lines = { "# topic: ?", "", "- file: one.md", "---", "", "💬: Hello?", "", "🤖:[Local]", "", "Hello!", "" }
vim.list_extend(lines, { "💬: Round the tax.", "", "🤖:[Local]", "" })
vim.list_extend(lines, vim.split(answer, "\n"))
vim.list_extend(lines, { "", "💬:", "", "" })
gp(folder .. "/one.md", lines)
seen.gp = notified("`:Patchpoint answer` applies them")
seen.servers = #vim.lsp.get_clients({ name = "patchpoint", _uninitialized = true })
-- Its commands that write into a file of the project fire the same event.
gp("notes.md", { "# topic: not a chat", "🤖:[Local]", "nothing" })

-- CopilotChat: the callback of its configuration has a message; before its version 4 it had a string.
vim.cmd.edit("till/basket.py")
local callback = require("patchpoint.chats").copilotchat
callback({ role = "assistant", content = answer }, { bufnr = 0, winnr = 0 })
seen.copilotchat = notified("`:Patchpoint answer` applies them")
seen.copilotchat_returns = callback(answer, { bufnr = 0, winnr = 0 }) == nil
seen.copilotchat_before = notified("`:Patchpoint answer` applies them")
act.wait("five answers", function()
  return #seen.answers == 5
end)

-- What was answered last is applied, as the answer of its chat.
codecompanion(11, {
  { role = "user", content = "Round the tax." },
  { role = "llm", content = "Certainly." },
  { role = "user", content = "Do." },
  { role = "llm", content = answer },
})
notified("`:Patchpoint answer` applies them")
seen.completion = vim.fn.getcompletion("Patchpoint answer ", "cmdline")
vim.cmd("Patchpoint answer nonsense")
seen.nonsense = notified("not one of apply")
vim.cmd("Patchpoint answer matching")
seen.matching = notified("4 of 6 edits applied")
local checkpoint = act.call(client, "listCheckpoints", { session = "codecompanion-11" }).checkpoints[1]
seen.anchor = { checkpoint.session, checkpoint.message }

-- Or at once, where that is what the person wants.
vim.cmd("silent wall")
require("patchpoint.chats").follow({ on_answer = "preview" })
callback({ role = "assistant", content = answer })
act.wait("the window with the difference", function()
  return vim.bo.filetype == "diff" or #seen.notified > 0
end)
local given
require("patchpoint.chats").follow({
  on_answer = function(one)
    given = one.chat
  end,
})
callback({ role = "assistant", content = answer })
act.wait("the function", function()
  return given ~= nil
end)
seen.given = given
act.finish(seen)
