--- Patchpoint in Neovim: starts the server, handles its notifications, and is what other plugins call.
local server = require("patchpoint.server")

local M = {}

---@class patchpoint.Place
---@field start { line: integer, character: integer }
---@field end { line: integer, character: integer }

---@class patchpoint.Candidate
---@field range patchpoint.Place
---@field similarity number 0 to 1
---@field preview string

---@class patchpoint.Outcome what became of one edit
---@field id string
---@field index integer from 0
---@field uri string
---@field status "applied"|"reverted"|"matched"|"alreadyApplied"|"ambiguous"|"notFound"|"conflict"|"rejected"|"malformed"|"held"
---@field candidates patchpoint.Candidate[]
---@field message string for a person
---@field feedback string for a model

---@class patchpoint.Result
---@field applied boolean
---@field application string? the name to revert it by
---@field edits patchpoint.Outcome[]
---@field files { uri: string, operation: string, diff: string }[]

---@class patchpoint.Application
---@field id string
---@field createdAt string in ISO 8601 and UTC
---@field edits string[]
---@field files string[]

---@class patchpoint.Options
---@field atomic? "all"|"file"|"edit" what is held back when an edit does not match
---@field dryRun? boolean change nothing
---@field session? string the chat that the text is from
---@field message? string the message of the chat

--- Pending edits by client, as the server last reported them.
---@type table<integer, integer>
local pending = {}

--- Reload the buffers whose files changed on disk, without a question. A buffer with unsaved changes is left to Neovim,
--- which asks.
local function reload_buffers()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].buftype == "" and not vim.bo[buffer].modified then
      local autoread = vim.bo[buffer].autoread
      vim.bo[buffer].autoread = true
      vim.cmd.checktime({ args = { buffer } })
      vim.bo[buffer].autoread = autoread
    end
  end
end

--- Request the lenses again in the buffers that show some.
local function refresh_lenses()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and #vim.lsp.codelens.get(buffer) > 0 then
      vim.lsp.codelens.refresh({ bufnr = buffer })
    end
  end
end

--- Let autocommands know: `User` with this pattern, and the parameters of the notification as its data.
local function announce(pattern, params)
  vim.api.nvim_exec_autocmds("User", { pattern = pattern, modeline = false, data = params })
end

--- Handlers of the server's custom notifications.
M.handlers = {
  ["patchpoint/didApplyEdits"] = function(_, params)
    reload_buffers()
    refresh_lenses()
    announce("PatchpointApplied", params)
  end,
  ["patchpoint/didRestoreCheckpoint"] = function(_, params)
    reload_buffers()
    announce("PatchpointRestored", params)
  end,
  ["patchpoint/didTakeCheckpoint"] = function(_, params)
    announce("PatchpointCheckpoint", params)
  end,
  ["patchpoint/didChangePendingEdits"] = function(_, params, context)
    pending[context.client_id] = #params.edits
    announce("PatchpointPending", params)
  end,
  ["patchpoint/didChangeReview"] = function(...)
    require("patchpoint.review").changed(...)
  end,
}

--- Start the server for every buffer with a file.
---@param options table? fields of `vim.lsp.Config`; `settings = { patchpoint = { ... } }` are the server's settings
function M.setup(options)
  if vim.lsp.config and vim.lsp.enable then
    vim.lsp.config("patchpoint", options or {})
    vim.lsp.enable("patchpoint")
    return
  end
  -- Neovim 0.10 has no table of configurations: start one client for each root as buffers are opened.
  local defaults = dofile(vim.api.nvim_get_runtime_file("lsp/patchpoint.lua", false)[1])
  local config = vim.tbl_deep_extend("force", { name = "patchpoint" }, defaults, options or {})
  vim.api.nvim_create_autocmd("FileType", {
    group = vim.api.nvim_create_augroup("patchpoint", {}),
    callback = function(event)
      local root = server.root(event.buf, { ".git" })
      if root then
        vim.lsp.start(vim.tbl_extend("force", config, { root_dir = root }), { bufnr = event.buf })
      end
    end,
  })
end

--- Apply the edits in a model's answer.
---@param text string
---@param options? patchpoint.Options
---@param on_done? fun(result: patchpoint.Result)
function M.apply(text, options, on_done)
  server.call("applyEdits", vim.tbl_extend("force", options or {}, { text = text }), on_done or function() end)
end

--- List the edits that could not be applied.
---@param on_done fun(edits: patchpoint.Outcome[])
function M.pending(on_done)
  server.call("listPendingEdits", {}, function(answer)
    on_done(answer.edits)
  end)
end

--- Apply a pending edit at one of its candidates, counted from 1.
---@param edit string its id
---@param candidate integer
---@param on_done? fun(result: patchpoint.Result)
function M.resolve(edit, candidate, on_done)
  server.call("resolveEdit", { edit = edit, candidate = candidate }, on_done or function() end)
end

--- List what was applied and can be reverted, newest first.
---@param on_done fun(applications: patchpoint.Application[])
function M.applications(on_done)
  server.call("listApplications", {}, function(answer)
    on_done(answer.applications)
  end)
end

--- Revert an application, although its files may have changed since.
---@param application string its id
---@param on_done? fun(result: patchpoint.Result)
function M.revert(application, on_done)
  server.call("revertEdits", { application = application }, on_done or function() end)
end

--- Return a word for a status line: how many edits are pending for the current buffer's project; else "".
---@return string
function M.status()
  local client = server.client()
  local count = client and pending[client.id] or 0
  return count > 0 and ("patchpoint: %d pending"):format(count) or ""
end

return M
