--- Talking with the server.
local M = {}

--- The client of a buffer, or any that runs.
---@return vim.lsp.Client?
function M.client(buffer)
  return vim.lsp.get_clients({ name = "patchpoint", bufnr = buffer or 0 })[1]
    or vim.lsp.get_clients({ name = "patchpoint" })[1]
end

--- Call a command of the server; `on_answer` is given the answer, unless it was refused, which the person is told.
---@param name string such as "takeCheckpoint"
---@param arguments table
---@param on_answer fun(answer: table)
function M.call(name, arguments, on_answer)
  local client = M.client()
  if not client then
    vim.notify("Patchpoint is not running here; see :checkhealth patchpoint", vim.log.levels.ERROR)
    return
  end
  -- An empty Lua table would be sent as a list.
  local given = next(arguments) and arguments or vim.empty_dict()
  -- The answer is shown here, and not as a message of the server's too.
  local params = { command = "patchpoint." .. name, arguments = { given }, showsResults = true }
  local function done(failure, answer)
    if failure then
      vim.notify("Patchpoint: " .. failure.message, vim.log.levels.ERROR)
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
