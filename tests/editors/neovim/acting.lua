-- Acting as a person at Neovim would, and waiting for what follows. Every wait is for an event, and has an end.
local M = {}

local deprecated = {}

--- Run a script; one that goes wrong ends Neovim with its account of what went wrong.
function M.run(script)
  vim.deprecate = function(name)
    table.insert(deprecated, debug.traceback(name))
  end
  local ok, message = xpcall(dofile, debug.traceback, script)
  if not ok then
    io.stderr:write(message .. "\n")
    os.exit(1)
  end
end

--- Wait until `predicate` holds, else end Neovim with an account of what was awaited.
function M.wait(what, predicate)
  if not vim.wait(60000, predicate, 10) then
    io.stderr:write("timed out waiting for " .. what .. "\n")
    io.stderr:write(vim.inspect(vim.diagnostic.get()) .. "\n")
    os.exit(1)
  end
end

--- Open a file and wait for the server.
function M.open(path)
  vim.cmd.edit(path)
  local buffer = vim.api.nvim_get_current_buf()
  M.wait("the server at " .. path, function()
    local client = vim.lsp.get_clients({ bufnr = buffer, name = "patchpoint" })[1]
    return client and client.initialized
  end)
  return buffer, vim.lsp.get_clients({ bufnr = buffer, name = "patchpoint" })[1]
end

--- Return what waits for the `number`-th event of this pattern from here on.
function M.follow(pattern)
  local seen = 0
  vim.api.nvim_create_autocmd("User", {
    pattern = pattern,
    callback = function()
      seen = seen + 1
    end,
  })
  return function(number)
    M.wait(pattern .. " " .. number, function()
      return seen >= number
    end)
  end
end

--- Send the server a command, as this Neovim does.
function M.send(client, params, on_answer)
  if vim.fn.has("nvim-0.11") == 1 then
    client:request("workspace/executeCommand", params, on_answer)
  else
    client.request("workspace/executeCommand", params, on_answer)
  end
end

--- Call a command of the server and wait for its answer.
function M.call(client, name, arguments)
  local failure, answer
  M.send(client, {
    command = "patchpoint." .. name,
    arguments = { next(arguments) and arguments or vim.empty_dict() },
  }, function(err, result)
    failure, answer = err, result
  end)
  M.wait("the answer to " .. name, function()
    return failure or answer
  end)
  if failure then
    io.stderr:write(name .. ": " .. vim.inspect(failure) .. "\n")
    os.exit(1)
  end
  return answer
end

function M.text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
end

--- Diagnostics of the server with this code.
function M.diagnostics(buffer, code)
  return vim.tbl_filter(function(diagnostic)
    return diagnostic.source == "patchpoint" and diagnostic.code == code
  end, vim.diagnostic.get(buffer))
end

--- The file `path` whole.
function M.read(path)
  local file = assert(io.open(path, "rb"))
  local content = file:read("a")
  file:close()
  return content
end

--- Hand what was seen to the test, and end.
function M.finish(seen)
  if #deprecated > 0 then
    io.stderr:write("deprecated: " .. table.concat(deprecated, "\n") .. "\n")
    os.exit(1)
  end
  local file = assert(io.open(vim.env.SEEN, "w"))
  file:write(vim.json.encode(seen))
  file:close()
  vim.lsp.stop_client(vim.lsp.get_clients({ name = "patchpoint" }))
  M.wait("the server to end", function()
    return #vim.lsp.get_clients({ name = "patchpoint" }) == 0
  end)
  os.exit(0)
end

return M
