--- The answers of chat plugins: codecompanion.nvim, CopilotChat.nvim and gp.nvim.
---
--- codecompanion fires `User CodeCompanionChatDone` with `{ bufnr, id }` once a chat has the whole answer, and
--- `require("codecompanion").buf_get_chat(bufnr).messages` has it. gp.nvim fires `User GpDone`, without data, in the
--- buffer of the chat, whose lines begin a message with the prefix of who wrote it. CopilotChat.nvim fires nothing, and
--- calls the `callback` of its configuration with the answer: a message since its version 4, a string before.
local server = require("patchpoint.server")

local M = {}

---@class patchpoint.Answer
---@field chat "codecompanion"|"CopilotChat"|"gp"
---@field text string
---@field session? string the chat, for the anchor of the checkpoint
---@field message? string which of its answers

---@class patchpoint.Chats
---@field on_answer? "notify"|"preview"|"apply"|"matching"|fun(answer: patchpoint.Answer) what follows an answer with edits

local newest = nil
local on_answer = "notify"

--- Return the newest answer of any chat.
---@return patchpoint.Answer?
function M.newest()
  return newest
end

--- Tell what an answer has, or do with it what the person has chosen. One without edits is passed over in silence.
local function follow_up(answer)
  vim.api.nvim_exec_autocmds("User", { pattern = "PatchpointAnswer", modeline = false, data = answer })
  if type(on_answer) == "function" then
    on_answer(answer)
    return
  end
  -- A chat goes on where there is no server, and so no project.
  if not server.client() then
    return
  end
  local arguments = { text = answer.text, atomic = "edit", dryRun = true }
  server.call("applyEdits", arguments, function(result, client)
    local total = #result.edits
    if total == 0 or newest ~= answer then
      return
    end
    if on_answer ~= "notify" then
      require("patchpoint.commands").with_answer(answer, on_answer)
      return
    end
    local fit = #vim.tbl_filter(function(edit)
      return edit.status == "matched" or edit.status == "alreadyApplied"
    end, result.edits)
    local message = ("the answer of %s has %d edit%s, of which %d fit%s; `:Patchpoint answer` applies them"):format(
      answer.chat,
      total,
      total == 1 and "" or "s",
      fit,
      fit == 1 and "s" or ""
    )
    server.notify(message, nil, client)
  end)
end

--- Take an answer in. Answers without text, as of a request that was stopped, are none.
local function receive(answer)
  if type(answer.text) == "string" and vim.trim(answer.text) ~= "" then
    newest = answer
    -- The plugin has not finished its own work when it says that there is an answer.
    vim.schedule(function()
      follow_up(answer)
    end)
  end
end

--- Take the last answer of a chat of codecompanion.
local function from_codecompanion(event)
  local data = event.data or {}
  local ok, codecompanion = pcall(require, "codecompanion")
  local found, chat = pcall(function()
    return ok and codecompanion.buf_get_chat(data.bufnr)
  end)
  if not found or type(chat) ~= "table" then
    return
  end
  local text, count = nil, 0
  for _, message in ipairs(chat.messages or {}) do
    if message.role == "llm" and type(message.content) == "string" then
      text, count = message.content, count + 1
    elseif message.role == "user" then
      -- An answer of which nothing has come, after a question.
      text = nil
    end
  end
  receive({
    chat = "codecompanion",
    text = text,
    session = data.id and ("codecompanion-%s"):format(data.id),
    message = tostring(count),
  })
end

local function prefix(value, default)
  return type(value) == "table" and value[1] or type(value) == "string" and value or default
end

--- Return the last answer in the lines of a chat of gp.nvim, and which answer of the chat it is.
local function last_answer(lines, config)
  local of_person = prefix(config.chat_user_prefix, "💬:")
  local of_model = prefix(config.chat_assistant_prefix, "🤖:")
  local answer, count, inside = {}, 0, false
  for _, line in ipairs(lines) do
    if vim.startswith(line, of_model) then
      answer, count, inside = {}, count + 1, true
    elseif vim.startswith(line, of_person) then
      inside = false
    elseif inside then
      table.insert(answer, line)
    end
  end
  return table.concat(answer, "\n") .. "\n", count
end

--- Take the last answer of a chat of gp.nvim. Its commands that write into a file fire the same event.
local function from_gp(event)
  if server.is_chat(event.buf) then
    local lines = vim.api.nvim_buf_get_lines(event.buf, 0, -1, false)
    local text, count = last_answer(lines, package.loaded["gp"].config)
    local name = vim.fs.basename(vim.api.nvim_buf_get_name(event.buf))
    receive({ chat = "gp", text = text, session = "gp-" .. name, message = tostring(count) })
  end
end

--- The `callback` of CopilotChat's configuration.
---@param response string|{ content: string } the answer
function M.copilotchat(response)
  local text = type(response) == "table" and response.content or response
  receive({
    chat = "CopilotChat",
    text = text --[[@as string]],
  })
end

--- Follow the answers of codecompanion and gp.nvim, whether or not they are loaded yet.
---@param options patchpoint.Chats
function M.follow(options)
  on_answer = options.on_answer or "notify"
  local group = vim.api.nvim_create_augroup("patchpoint_chats", {})
  vim.api.nvim_create_autocmd(
    "User",
    { group = group, pattern = "CodeCompanionChatDone", callback = from_codecompanion }
  )
  vim.api.nvim_create_autocmd("User", { group = group, pattern = "GpDone", callback = from_gp })
end

return M
