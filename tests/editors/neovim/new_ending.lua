-- Open files without an ending after the last line are written whole, with one; saved, taken back, and saved again.
local act = require("acting")
local seen = {}

require("patchpoint").setup()
local applied = 0
vim.api.nvim_create_autocmd("User", {
  pattern = "PatchpointApplied",
  callback = function()
    applied = applied + 1
  end,
})
local function until_applied(number)
  act.wait("change " .. number, function()
    return applied == number
  end)
end

for name, content in pairs(vim.json.decode(vim.env.CONTENTS)) do
  local _, client = act.open(name)
  local before = applied
  local edit = { path = vim.fn.getcwd() .. "/" .. name, operation = "write", content = content }
  local answer = act.call(client, "applyEdits", { edits = { edit } })
  until_applied(before + 1)
  vim.cmd("silent write")
  seen[name] = { written = act.read(name) }

  local back = act.call(client, "revertEdits", { application = answer.application })
  until_applied(before + 2)
  vim.cmd("silent write")
  seen[name].back = act.read(name)
  seen[name].statuses = { answer.edits[1].status, back.edits[1].status }
end
act.finish(seen)
