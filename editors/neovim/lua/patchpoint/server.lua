--- The running servers, and requests to them.
local M = {}

--- Whether there was a server for any buffer: one that has ended is started again then.
local has_run = false

--- Return whether a buffer only shows edits: a preview, a comparison, or a file as it was.
---@param buffer integer
function M.is_shown(buffer)
  local name = vim.api.nvim_buf_get_name(buffer):gsub("\\", "/")
  return name:match("^patchpoint:") ~= nil or name:match("/shown/[%w]*%-?" .. ("%x"):rep(12) .. "/") ~= nil
end

--- Return whether a buffer is a chat of gp.nvim: a file, but of no project.
---@param buffer integer
function M.is_chat(buffer)
  local gp = package.loaded["gp"]
  local folder = type(gp) == "table" and type(gp.config) == "table" and gp.config.chat_dir
  local name = vim.fs.normalize(vim.api.nvim_buf_get_name(buffer))
  return type(folder) == "string" and vim.startswith(name, vim.fs.normalize(folder) .. "/")
end

--- Return the folder that the server of a buffer works in; nil for a buffer that needs no server.
---@param buffer integer
---@param markers string[]
---@return string?
function M.root(buffer, markers)
  -- A buffer without a name has no URI that its diagnostics could be sent for.
  if vim.bo[buffer].buftype ~= "" or vim.api.nvim_buf_get_name(buffer) == "" then
    return nil
  end
  if M.is_shown(buffer) or M.is_chat(buffer) then
    return nil
  end
  has_run = true
  return vim.fs.root(buffer, markers) or vim.fs.dirname(vim.api.nvim_buf_get_name(buffer))
end

local function has(client, path)
  local root = client.root_dir and vim.fs.normalize(client.root_dir)
  return root ~= nil and (path == root or vim.startswith(path, root .. "/"))
end

--- Return the client of the project that a person is in: that of the buffer, of its file, of the current
--- directory, or the only one. Return nil and the reason where none of them is meant.
---@param buffer? integer
---@return vim.lsp.Client?
---@return string?
function M.client(buffer)
  buffer = buffer or vim.api.nvim_get_current_buf()
  local attached = vim.lsp.get_clients({ name = "patchpoint", bufnr = buffer })[1]
  if attached then
    return attached
  end
  local running = vim.lsp.get_clients({ name = "patchpoint" })
  local shown_by = vim.b[buffer].patchpoint_client
  for _, client in ipairs(running) do
    if client.id == shown_by then
      return client
    end
  end
  local name = M.is_shown(buffer) and "" or vim.api.nvim_buf_get_name(buffer)
  for _, path in ipairs({ name, vim.fn.getcwd() }) do
    local inside = vim.tbl_filter(function(client)
      return path ~= "" and has(client, vim.fs.normalize(path))
    end, running)
    table.sort(inside, function(one, other)
      return #one.root_dir > #other.root_dir
    end)
    if inside[1] then
      return inside[1]
    end
  end
  if #running == 1 then
    return running[1]
  end
  if #running == 0 then
    return nil, "it is not running here; open a file of the project, or see :checkhealth patchpoint"
  end
  local roots = vim.tbl_map(function(client)
    return client.root_dir or "single files"
  end, running)
  return nil, "it runs for " .. table.concat(roots, " and ") .. "; open a file of the project that you mean"
end

--- Notify the person in one line, with the name of the project where there are several.
---@param message string
---@param level? integer
---@param client? vim.lsp.Client
function M.notify(message, level, client)
  local several = #vim.lsp.get_clients({ name = "patchpoint" }) > 1 and client and client.root_dir
  local about = several and ("Patchpoint (%s): "):format(vim.fs.basename(client.root_dir)) or "Patchpoint: "
  vim.notify(about .. vim.split(message, "\n")[1], level or vim.log.levels.INFO)
end

--- Start the servers of the files that are open, as they were started first; return the client of the current one.
---@return integer?
function M.start()
  local here = vim.api.nvim_get_current_buf()
  local first
  for _, buffer in ipairs(vim.list_extend({ here }, vim.api.nvim_list_bufs())) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      local id = require("patchpoint").attach(buffer)
      first = first or id
    end
  end
  return first
end

--- Call `on_ready` with a client once its server has been initialized.
---@param id integer
---@param on_ready fun(client: vim.lsp.Client)
function M.when_ready(id, on_ready)
  local client = vim.lsp.get_client_by_id(id)
  if client and client.initialized then
    on_ready(client)
    return
  end
  vim.api.nvim_create_autocmd("LspAttach", {
    callback = function(event)
      local attached = event.data.client_id == id and vim.lsp.get_client_by_id(id)
      if attached then
        vim.schedule(function()
          on_ready(attached)
        end)
        return true
      end
    end,
  })
end

---@class patchpoint.Failure
---@field message string for a person
---@field code? string such as "preview-outdated"

local function send(client, name, arguments, on_done)
  -- An empty Lua table would be sent as a list.
  local given = next(arguments) and arguments or vim.empty_dict()
  -- The result is shown here, so the server must not show a message as well.
  local params = { command = "patchpoint." .. name, arguments = { given }, showsResults = true }
  local function done(failure, answer)
    if failure then
      local code = type(failure.data) == "table" and failure.data.code or nil
      on_done({ message = failure.message, code = code }, nil, client)
    else
      on_done(nil, answer, client)
    end
  end
  if vim.fn.has("nvim-0.11") == 1 then
    client:request("workspace/executeCommand", params, done)
  else
    client.request("workspace/executeCommand", params, done)
  end
end

--- Call a command of the server, and `on_done` with an error or its result. A server that has ended is started again.
---@param name string such as "takeCheckpoint"
---@param arguments table
---@param on_done fun(failure: patchpoint.Failure?, answer: table?, client: vim.lsp.Client?)
function M.request(name, arguments, on_done)
  local client, reason = M.client()
  if client then
    send(client, name, arguments, on_done)
    return
  end
  local none = #vim.lsp.get_clients({ name = "patchpoint" }) == 0
  local id = none and has_run and M.start()
  if id then
    M.when_ready(id, function(started)
      send(started, name, arguments, on_done)
    end)
  else
    on_done({ message = reason or "" })
  end
end

--- Call a command of the server, and `on_answer` with its result. An error is shown to the person instead.
---@param name string
---@param arguments table
---@param on_answer fun(answer: table, client: vim.lsp.Client)
---@param on_refusal? table<string, fun()> what to do beyond that, by the code of the error
function M.call(name, arguments, on_answer, on_refusal)
  M.request(name, arguments, function(failure, answer, client)
    if failure then
      M.notify(failure.message, vim.log.levels.ERROR, client)
      if on_refusal and on_refusal[failure.code] then
        on_refusal[failure.code]()
      end
    else
      on_answer(answer, client)
    end
  end)
end

return M
