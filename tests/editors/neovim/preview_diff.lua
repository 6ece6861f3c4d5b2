-- A preview as one difference: d drops a change and keeps it again, and writing the buffer applies the rest.
local act = require("acting")
local seen = { notified = {} }

vim.notify = function(message)
  table.insert(seen.notified, message)
end

require("patchpoint").setup()
act.open("till/tax.py")
vim.fn.setreg("a", act.read(vim.env.ANSWER))
vim.cmd("Patchpoint preview a")
act.wait("the preview", function()
  return vim.fn.getqflist({ title = 0 }).title:find("Patchpoint preview: ", 1, true) ~= nil
end)
vim.cmd("Patchpoint preview diff")
local buffer = vim.api.nvim_get_current_buf()
local function text()
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
end
local function press_at(what, keys, shown)
  assert(vim.fn.search(what, "w") > 0, what)
  vim.api.nvim_feedkeys(keys, "x", false)
  act.wait(shown, function()
    return text():find(shown, 1, true) ~= nil
  end)
end
seen.first = text()
press_at("if count < 1", "d", "3 to apply, 1 dropped")
press_at("date.today()", "d", "2 to apply, 2 dropped")
press_at("dropped: till/basket.py", "d", "3 to apply, 1 dropped")
seen.second = text()
seen.notified = {}
vim.cmd("silent write")
act.wait("the message about what was applied", function()
  return #seen.notified > 0
end)
seen.applied = seen.notified[#seen.notified]
act.wait("the end of the buffer", function()
  return not vim.api.nvim_buf_is_loaded(buffer)
end)
vim.cmd("silent wall")
act.finish(seen)
