--- Requests to the server.
local M = {}

--- Return the client of a buffer, else any running one.
---@return vim.lsp.Client?
function M.client(buffer)
  return vim.lsp.get_clients({ name = "patchpoint", bufnr = buffer or 0 })[1]
    or vim.lsp.get_clients({ name = "patchpoint" })[1]
end

--- Call a command of the server, and `on_answer` with its result. An error is shown to the person instead.
---@param name string such as "takeCheckpoint"
---@param arguments table
---@param on_answer fun(answer: table)
---@param on_refusal? table<string, fun()> what to do beyond that, by the code of the error
function M.call(name, arguments, on_answer, on_refusal)
  local client = M.client()
  if not client then
    vim.notify("Patchpoint is not running here; see :checkhealth patchpoint", vim.log.levels.ERROR)
    return
  end
  -- An empty Lua table would be sent as a list.
  local given = next(arguments) and arguments or vim.empty_dict()
  -- The result is shown here, so the server must not show a message as well.
  local params = { command = "patchpoint." .. name, arguments = { given }, showsResults = true }
  local function done(failure, answer)
    if failure then
      vim.notify("Patchpoint: " .. failure.message, vim.log.levels.ERROR)
      local code = type(failure.data) == "table" and failure.data.code
      if on_refusal and on_refusal[code] then
        on_refusal[code]()
      end
    else
      on_answer(answer)
    end
  end
  if vim.fn.has("nvim-0.11") == 1 then
    client:request("workspace/executeCommand", params, done)
  else
    client.request("workspace/executeCommand", params, done)
  end
end

return M
