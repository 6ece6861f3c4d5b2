-- A review at the end of a file, where lines were deleted, and its own end, with text that is not saved.
local act = require("acting")
local seen = {}

vim.notify = function() end
vim.ui.select = function(items, options, on_choice)
  seen.asked = { prompt = options.prompt, items = items }
  on_choice(items[1], 1)
end
local function left(count)
  act.wait(count .. " open changes in the list", function()
    return #vim.fn.getqflist() == count
  end)
end
local function press(name)
  vim.api.nvim_feedkeys(vim.keycode(("<Plug>(patchpoint-review-%s)"):format(name)), "x", false)
end

require("patchpoint").setup()
local four = act.open("four.txt")
vim.cmd("Patchpoint review")
left(12)
vim.cmd.cclose()
vim.api.nvim_set_current_buf(four)
vim.api.nvim_win_set_cursor(0, { 20, 0 })
press("next")
act.wait("the end of the file", function()
  return vim.fn.line(".") == 29
end)
press("next")
act.wait("the next file", function()
  return vim.api.nvim_get_current_buf() ~= four
end)
seen.went_on = vim.fn.expand("%:t") ~= "four.txt"
vim.api.nvim_set_current_buf(four)
vim.cmd("normal! G")
press("keep")
act.wait("the next file again", function()
  return vim.api.nvim_get_current_buf() ~= four
end)
vim.api.nvim_set_current_buf(four)
left(11)
seen.kept = #vim.fn.getqflist()
vim.api.nvim_win_set_cursor(0, { 3, 0 })
press("take-back")
left(10)
vim.cmd("Patchpoint review finish a")
act.wait("the summary", function()
  return vim.fn.getreg("a") ~= ""
end)
seen.summary = vim.fn.getreg("a")
act.finish(seen)
