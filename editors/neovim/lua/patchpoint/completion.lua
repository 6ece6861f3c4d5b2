--- What completes `:Patchpoint`: the subcommands and, after one, the ids and labels of what it is for.
local server = require("patchpoint.server")

local M = {}

--- Return what a command of the server lists, in the time that somebody waits for a completion.
local function listed(command, key)
  local client = server.client()
  local params = { command = "patchpoint." .. command, arguments = { vim.empty_dict() }, showsResults = true }
  local answer
  if client and vim.fn.has("nvim-0.11") == 1 then
    answer = client:request_sync("workspace/executeCommand", params, 1000)
  elseif client then
    answer = client.request_sync("workspace/executeCommand", params, 1000)
  end
  return answer and answer.result and answer.result[key] or {}
end

local function checkpoints()
  local words = {}
  for _, one in ipairs(listed("listCheckpoints", "checkpoints")) do
    table.insert(words, one.id)
    if type(one.label) == "string" and one.label ~= "" then
      table.insert(words, one.label)
    end
  end
  return words
end

local function ids(command, key, is_wanted)
  return function()
    return vim.tbl_map(function(one)
      return one.id
    end, vim.tbl_filter(is_wanted, listed(command, key)))
  end
end

local function always()
  return true
end

--- Return whether an application can still be reverted.
function M.is_revertible(application)
  local function is_null(value)
    return value == nil or value == vim.NIL
  end
  return is_null(application.revertedAt) and is_null(application.reverts)
end

local applications = ids("listApplications", "applications", M.is_revertible)
local completions = {
  answer = function()
    return { "apply", "matching", "preview" }
  end,
  preview = function()
    return { "apply", "diff" }
  end,
  diff = checkpoints,
  restore = checkpoints,
  rename = checkpoints,
  pin = checkpoints,
  revert = applications,
  applications = applications,
  discard = ids("listPendingEdits", "edits", always),
  review = function()
    return vim.list_extend({ "finish", "keep", "next", "open", "previous", "take-back", "toggle" }, checkpoints())
  end,
}

--- Return the subcommands, of these names, that complete `lead` or, after one, what it is for.
---@param names string[]
---@param lead string
---@param line string
---@return string[]
function M.complete(names, lead, line)
  local name = line:match("Patchpoint!?%s+(%S+)%s")
  local known = names
  if name then
    local after = line:match("Patchpoint!?%s+%S+%s+(.*)$")
    -- A label has several words, of which the last alone is completed.
    local before = after:sub(1, #after - #lead)
    known = vim.tbl_map(function(word)
      return vim.startswith(word, before) and word:sub(#before + 1) or nil
    end, completions[name] and completions[name]() or {})
  end
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, vim.tbl_values(known))
end

return M
