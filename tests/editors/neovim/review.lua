-- A review as a person does it: the quickfix list, mappings in buffers and in the list, and the summary.
local act = require("acting")
local seen = { notified = {}, lists = {}, events = 0 }

vim.notify = function(message)
  table.insert(seen.notified, message)
end
vim.api.nvim_create_autocmd("User", {
  pattern = "PatchpointReview",
  callback = function()
    seen.events = seen.events + 1
  end,
})

local function list()
  return vim.fn.getqflist()
end
local function press(name)
  vim.api.nvim_feedkeys(vim.keycode(("<Plug>(patchpoint-review-%s)"):format(name)), "x", false)
end
local function left(count)
  act.wait(count .. " open changes in the list", function()
    return #list() == count
  end)
end

require("patchpoint").setup()
local one = act.open("one.txt")
vim.cmd("Patchpoint review")
left(12)
seen.title = vim.fn.getqflist({ title = 0 }).title
seen.first = vim.tbl_map(function(entry)
  return { vim.fn.fnamemodify(vim.fn.bufname(entry.bufnr), ":t"), entry.lnum, entry.text }
end, list())
seen.window = vim.split(act.text(vim.api.nvim_get_current_buf()), "\n")
act.wait("the diagnostics", function()
  return #act.diagnostics(one, "review-change") == 3
end)

-- In the list, above which is the file at the change: that of deep/three.txt is reverted in its buffer.
vim.api.nvim_win_set_cursor(0, { 1, 0 })
vim.cmd("Patchpoint review take-back the numbers are tested")
left(11)
vim.cmd("Patchpoint review take-back the numbers are tested")
left(10)
seen.three = act.text(vim.fn.bufnr("deep/three.txt")) .. "\n"
vim.cmd.cclose()

-- In a buffer: keep the first change of one.txt, take back the second, typing in between.
vim.api.nvim_set_current_buf(one)
vim.api.nvim_win_set_cursor(0, { 2, 0 })
press("keep")
act.wait("the next change", function()
  return vim.fn.line(".") == 12
end)
left(9)
vim.api.nvim_buf_set_lines(one, 0, 0, false, { "typed" })
left(10)
press("take-back")
left(9)
seen.one = act.text(one)

vim.api.nvim_buf_set_lines(one, 0, 1, false, {})
left(8)

-- In the list again: the file that was made goes, and the end of two.txt; the rest is kept.
vim.cmd.copen()
for _, gone in ipairs({ { "made.txt", 1 }, { "two.txt", 32 } }) do
  local before = #list()
  for number, entry in ipairs(list()) do
    if vim.fn.fnamemodify(vim.fn.bufname(entry.bufnr), ":t") == gone[1] and entry.lnum == gone[2] then
      vim.api.nvim_win_set_cursor(0, { number, 0 })
    end
  end
  vim.cmd("Patchpoint review take-back")
  left(before - 1)
end
while #list() > 0 do
  local before = #list()
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd("Patchpoint review keep")
  left(before - 1)
end
vim.cmd.cclose()
vim.api.nvim_set_current_buf(one)
vim.cmd("silent wall")
vim.cmd("Patchpoint review keep")
vim.cmd("Patchpoint review finish a")
act.wait("the summary", function()
  return vim.fn.getreg("a") ~= ""
end)
seen.summary = vim.fn.getreg("a")
seen.said = seen.notified[#seen.notified]
act.wait("no diagnostic", function()
  return #act.diagnostics(nil, "review-change") == 0
end)
act.finish(seen)
