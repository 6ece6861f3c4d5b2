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
---@field where string in which definition it is, or where else the edit would go

---@class patchpoint.Outcome what became of one edit
---@field id string
---@field index integer from 0
---@field uri string
---@field status "applied"|"reverted"|"matched"|"alreadyApplied"|"proposed"|"ambiguous"|"notFound"|"conflict"|"rejected"|"malformed"|"held"
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

---@class patchpoint.Change
---@field id string
---@field decision "open"|"keep"|"takeBack"
---@field range? patchpoint.Place nil or `vim.NIL` for a file as a whole
---@field diff string

---@class patchpoint.ReviewedFile
---@field uri string
---@field operation "create"|"update"|"delete"|"rename"
---@field hunks patchpoint.Change[]

---@class patchpoint.Review
---@field review string its id
---@field kept integer
---@field takenBack integer
---@field open integer
---@field files patchpoint.ReviewedFile[]

---@class patchpoint.Setup: vim.lsp.Config `settings = { patchpoint = { ... } }` are the server's settings
---@field keys? true|table<string, string> the keys of a review, by what they do: next, previous, keep, take-back
---@field picker? "snacks"|"telescope"|"fzf-lua" what checkpoints are picked with, with a preview; `vim.ui.select` by default
---@field chats? boolean|patchpoint.Chats whether, and how, to follow the answers of chat plugins

--- Pending edits by client, as the server last reported them.
---@type table<integer, integer>
local pending = {}

--- What the keys do in buffers that show changes, where `setup` is asked for keys.
local KEYS = { ["]r"] = "next", ["[r"] = "previous", gk = "keep", gK = "take-back" }

--- What `setup` was given, where Neovim does not keep it.
local started_with = {}

--- Milliseconds after which a server that is restarted is ended, if it has not ended by itself.
local STOP_MS = 5000

--- Return whether what a buffer would write is what its file has.
local function is_on_disk(buffer)
  local file = io.open(vim.api.nvim_buf_get_name(buffer), "rb")
  if not file then
    return false
  end
  local content = file:read("a")
  file:close()
  local ending = ({ dos = "\r\n", mac = "\r" })[vim.bo[buffer].fileformat] or "\n"
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), ending)
  return content == text .. (vim.bo[buffer].endofline and ending or "")
end

--- Reload the buffers whose files changed on disk, without a question. A buffer with unsaved changes is left to Neovim,
--- which asks; one that has been given the text of its file is not changed.
local function reload_buffers()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local is_loaded = vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].buftype == ""
    if is_loaded and vim.bo[buffer].modified and is_on_disk(buffer) then
      vim.bo[buffer].modified = false
    end
    if is_loaded and not vim.bo[buffer].modified then
      local autoread = vim.bo[buffer].autoread
      vim.bo[buffer].autoread = true
      vim.cmd.checktime({ args = { buffer } })
      vim.bo[buffer].autoread = autoread
    end
  end
end

--- Show the texts that are not saved in the buffers that have lost them because their files were read again, or have
--- an empty line more, as an edit leaves it that ends the last line of a buffer without an ending there.
local function show_unsaved(unsaved)
  local texts = {}
  for _, one in ipairs(unsaved or {}) do
    texts[one.uri] = one.text
  end
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local text = vim.api.nvim_buf_is_loaded(buffer) and texts[vim.uri_from_bufnr(buffer)]
    if text then
      local lines = vim.split(text, "\r?\n")
      local split = vim.deepcopy(lines)
      if lines[#lines] == "" and #lines > 1 then
        table.remove(lines)
      end
      local is_longer = not vim.bo[buffer].endofline
        and #split > #lines
        and vim.deep_equal(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), split)
      if is_longer or not vim.bo[buffer].modified then
        vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
      end
    end
  end
end

--- Return whether a diff ends the last line of a file that had no ending there.
local function ends_last_line(diff)
  local marked = "[^\n]*\n\\ No newline"
  return diff:find("\n%-" .. marked) ~= nil and diff:find("\n[%+ ]" .. marked) == nil
end

--- Have buffers written as they are that had no ending after the last line and got one by an edit. Neovim keeps an empty
--- line for it, and would write one more ending behind that.
local function keep_new_endings(files)
  for _, file in ipairs(files) do
    local buffer = file.operation == "update" and ends_last_line(file.diff) and vim.fn.bufnr(vim.uri_to_fname(file.uri))
    if buffer and buffer > 0 and vim.api.nvim_buf_is_loaded(buffer) and not vim.bo[buffer].endofline then
      vim.bo[buffer].fixendofline = false
    end
  end
end

--- Request the lenses again in the buffers that show some. Neovim 0.12 does so by itself.
local function refresh_lenses()
  if vim.lsp.codelens.enable then
    return
  end
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
    keep_new_endings(params.files)
    require("patchpoint.changes").forget("preview")
    refresh_lenses()
    announce("PatchpointApplied", params)
  end,
  ["patchpoint/didRestoreCheckpoint"] = function(_, params)
    reload_buffers()
    show_unsaved(params.unsaved)
    announce("PatchpointRestored", params)
  end,
  ["patchpoint/didTakeCheckpoint"] = function(_, params)
    announce("PatchpointCheckpoint", params)
  end,
  ["patchpoint/didChangePendingEdits"] = function(_, params, context)
    pending[context.client_id] = #params.edits
    if require("patchpoint.changes").of("pending") then
      require("patchpoint.preview").wait(params.edits, vim.lsp.get_client_by_id(context.client_id))
    end
    announce("PatchpointPending", params)
  end,
  ["patchpoint/didChangeReview"] = function(...)
    require("patchpoint.review").changed(...)
  end,
}

--- Return the configuration of the server, as Neovim 0.10 has no table of them.
local function configuration(options)
  local defaults = dofile(vim.api.nvim_get_runtime_file("lsp/patchpoint.lua", false)[1])
  return vim.tbl_deep_extend("force", { name = "patchpoint" }, defaults, options or {})
end

--- Start the server for every buffer with a file.
---@param options patchpoint.Setup?
function M.setup(options)
  local config = vim.tbl_extend("force", {}, options or {})
  local chats = config.chats
  if config.keys then
    require("patchpoint.changes").keys = config.keys == true and KEYS or config.keys
  end
  if config.picker then
    require("patchpoint.pickers").use(config.picker)
  end
  config.chats, config.keys, config.picker = nil, nil, nil
  if chats then
    require("patchpoint.chats").follow(type(chats) == "table" and chats or {})
  end
  if vim.lsp.config and vim.lsp.enable then
    vim.lsp.config("patchpoint", config)
    vim.lsp.enable("patchpoint")
    return
  end
  started_with = config
  local group = vim.api.nvim_create_augroup("patchpoint", {})
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    callback = function(event)
      M.attach(event.buf)
    end,
  })
end

--- Connect a buffer with the server of its project, which is started where it is not running.
---@param buffer? integer the current one by default
---@return integer? client nil for a buffer without a file
function M.attach(buffer)
  buffer = (buffer == nil or buffer == 0) and vim.api.nvim_get_current_buf() or buffer
  local root = server.root(buffer, { ".git" })
  if not root then
    return nil
  end
  local config = vim.lsp.config and vim.lsp.config.patchpoint or configuration(started_with)
  return vim.lsp.start(vim.tbl_extend("force", config, { name = "patchpoint", root_dir = root }), { bufnr = buffer })
end

--- Stop the server of the current project, and start it again; one that has ended is started.
---@param on_done? fun(client: vim.lsp.Client)
function M.restart(on_done)
  local function start()
    local id = server.start()
    if not id then
      server.notify("no project file is open; open one", vim.log.levels.WARN)
      return
    end
    server.when_ready(id, on_done or function() end)
  end
  local client = server.client()
  if not client then
    start()
    return
  end
  local function stop(force)
    if vim.fn.has("nvim-0.11") == 1 then
      client:stop(force)
    else
      client.stop(force)
    end
  end
  local deadline = vim.uv.now() + STOP_MS
  local function when_gone()
    if not vim.lsp.get_client_by_id(client.id) then
      start()
      return
    end
    if vim.uv.now() > deadline then
      stop(true)
    end
    vim.defer_fn(when_gone, 50)
  end
  stop(false)
  when_gone()
end

--- Call a command for another plugin. Without `on_done`, an error is shown to the person.
local function call(name, arguments, on_done, key)
  server.request(name, arguments, function(failure, answer, client)
    if on_done then
      on_done(failure, answer and key and answer[key] or answer)
    elseif failure then
      server.notify(failure.message, vim.log.levels.ERROR, client)
    end
  end)
end

--- Apply the edits in a model's answer.
---@param text string
---@param options? patchpoint.Options
---@param on_done? fun(failure: patchpoint.Failure?, result: patchpoint.Result?)
function M.apply(text, options, on_done)
  call("applyEdits", vim.tbl_extend("force", options or {}, { text = text }), on_done)
end

--- List the edits that could not be applied.
---@param on_done fun(failure: patchpoint.Failure?, edits: patchpoint.Outcome[]?)
function M.pending(on_done)
  call("listPendingEdits", {}, on_done, "edits")
end

--- Apply a pending edit at one of its candidates, counted from 1.
---@param edit string its id
---@param candidate integer
---@param on_done? fun(failure: patchpoint.Failure?, result: patchpoint.Result?)
function M.resolve(edit, candidate, on_done)
  call("resolveEdit", { edit = edit, candidate = candidate }, on_done)
end

--- List what was applied and can be reverted, newest first.
---@param on_done fun(failure: patchpoint.Failure?, applications: patchpoint.Application[]?)
function M.applications(on_done)
  call("listApplications", {}, on_done, "applications")
end

--- Revert an application, although its files may have changed since.
---@param application string its id
---@param on_done? fun(failure: patchpoint.Failure?, result: patchpoint.Result?)
function M.revert(application, on_done)
  call("revertEdits", { application = application }, on_done)
end

--- Review what was written since a checkpoint, or go on with the review that is not finished.
---@param since? string the checkpoint, by any of its names; by default that before the newest turn of an agent
---@param on_done fun(failure: patchpoint.Failure?, review: patchpoint.Review?)
function M.review(since, on_done)
  call("reviewChanges", { since = since }, on_done)
end

--- Decide about a change of a review.
---@param review string the review's id
---@param change string its id
---@param decision "keep"|"takeBack"|"open"
---@param reason? string why, for the summary
---@param on_done? fun(failure: patchpoint.Failure?, file: patchpoint.ReviewedFile?)
function M.decide(review, change, decision, reason, on_done)
  call("reviewHunk", { review = review, hunk = change, decision = decision, reason = reason }, on_done)
end

---@class patchpoint.Ended
---@field kept integer
---@field takenBack integer
---@field open integer
---@field summary string for the model
---@field unsaved string[] the URIs of the files that have yet to be saved

--- End a review.
---@param review string the review's id
---@param on_done? fun(failure: patchpoint.Failure?, ended: patchpoint.Ended?)
function M.finish_review(review, on_done)
  call("finishReview", { review = review }, on_done)
end

--- Return a word for a status line: how many edits are pending for the current buffer's project; else "".
---@return string
function M.status()
  local client = server.client()
  local count = client and pending[client.id] or 0
  return count > 0 and ("patchpoint: %d pending"):format(count) or ""
end

return M
