-- A restore while there is unsaved text: a buffer that has what its file has is not changed.
local act = require("acting")
local seen = {}
local until_restored = act.follow("PatchpointRestored")
local function state(buffer)
  return { text = act.text(buffer), modified = vim.bo[buffer].modified }
end

require("patchpoint").setup()
local tax, client = act.open("till/tax.py")
local checkpoint = act.call(client, "takeCheckpoint", { label = "before the agent" })
vim.fn.writefile({ "# the agent's" }, "till/tax.py")
vim.cmd("silent edit!")
act.wait("the server to have the file", function()
  return vim.lsp.buf_is_attached(tax, client.id)
end)
vim.api.nvim_buf_set_lines(tax, 0, 0, false, { "# typed" })
act.call(client, "restoreCheckpoint", { checkpoint = checkpoint.id })
until_restored(1)
seen.restored = state(tax)

act.call(client, "undoRestore", {})
until_restored(2)
seen.undone = state(tax)
seen.written = pcall(vim.cmd, "silent write!")
act.call(client, "restoreCheckpoint", { checkpoint = checkpoint.id })
until_restored(3)
seen.again = state(tax)
vim.cmd.checktime()
vim.cmd("silent write")
seen.messages = vim.fn.execute("messages")
act.finish(seen)
