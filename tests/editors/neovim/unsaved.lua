-- Text that is not saved, and is also what a restore writes: it is there again after the restore is undone.
local act = require("acting")
local seen = {}
local until_restored = act.follow("PatchpointRestored")

require("patchpoint").setup()
local tax, client = act.open("till/tax.py")
seen.mine = act.text(tax)
local checkpoint = act.call(client, "takeCheckpoint", { label = "before the agent" })
vim.fn.writefile({ "# the agent's" }, "till/tax.py")
act.call(client, "restoreCheckpoint", { checkpoint = checkpoint.id })
until_restored(1)
seen.file_restored = act.read("till/tax.py")
vim.cmd("silent write!")

act.call(client, "undoRestore", {})
until_restored(2)
seen.file = act.read("till/tax.py")
seen.buffer = act.text(tax)
seen.modified = vim.bo[tax].modified
act.finish(seen)
