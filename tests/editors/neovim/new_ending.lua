-- Open files without an ending after the last line are written whole, with one; saved, taken back, and saved again.
local act = require("acting")
local seen = {}

require("patchpoint").setup()
local until_applied = act.follow("PatchpointApplied")

local changes = 0
for name, content in pairs(vim.json.decode(vim.env.CONTENTS)) do
  local _, client = act.open(name)
  local edit = { path = vim.fn.getcwd() .. "/" .. name, operation = "write", content = content }
  local answer = act.call(client, "applyEdits", { edits = { edit } })
  until_applied(changes + 1)
  vim.cmd("silent write")
  seen[name] = { written = act.read(name) }

  local back = act.call(client, "revertEdits", { application = answer.application })
  until_applied(changes + 2)
  changes = changes + 2
  vim.cmd("silent write")
  seen[name].back = act.read(name)
  seen[name].statuses = { answer.edits[1].status, back.edits[1].status }
end
act.finish(seen)
