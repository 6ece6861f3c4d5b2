-- A server that ends: by the hand of somebody, and by command.
local act = require("acting")
local seen = { clients = {}, notified = {} }

vim.notify = function(message)
  table.insert(seen.notified, message)
end
local function pending()
  local answered
  require("patchpoint").pending(function(_, edits)
    answered = edits
  end)
  act.wait("the pending edits", function()
    return answered ~= nil
  end)
  return #answered
end
local function client()
  local one = vim.lsp.get_clients({ name = "patchpoint" })[1]
  table.insert(seen.clients, one.id)
  return one
end

require("patchpoint").setup()
local tax = act.open("till/tax.py")
act.call(client(), "applyEdits", { text = act.read(vim.env.ANSWER), atomic = "edit" })
vim.cmd("silent wall")
seen.pending = pending()
vim.api.nvim_buf_set_lines(tax, 0, 0, false, { "# typed" })

for _, process in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
  vim.uv.kill(process, "sigkill")
end
act.wait("the end of the server", function()
  return #vim.lsp.get_clients({ name = "patchpoint" }) == 0
end)
seen.after_end = pending()
client()

vim.cmd("Patchpoint restart")
act.wait("the message", function()
  return vim.tbl_contains(seen.notified, "Patchpoint: the server has been restarted")
end)
client()
seen.after_restart = pending()
seen.typed = vim.startswith(act.text(tax), "# typed\n") and vim.lsp.buf_is_attached(tax, seen.clients[3])
act.finish(seen)
