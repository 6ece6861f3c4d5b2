-- What is drawn of changes, as it is on the screen: in a review, in a preview, and at the places of edits that wait.
local act = require("acting")
local seen = { notified = {} }

vim.notify = function(message)
  table.insert(seen.notified, message)
end
vim.o.columns, vim.o.lines, vim.o.laststatus, vim.o.signcolumn = 80, 30, 0, "no"

--- Return the lines of the screen that are in the current window, and of each the highlights that it begins with.
local function screen()
  vim.diagnostic.enable(false)
  vim.cmd.redraw()
  local rows = {}
  local position, height = vim.fn.win_screenpos(0)[1], vim.api.nvim_win_get_height(0)
  for row = position, position + height - 1 do
    local text = ""
    for column = 1, vim.o.columns do
      text = text .. vim.fn.screenstring(row, column)
    end
    table.insert(rows, vim.trim(text) ~= "~" and (text:gsub("%s+$", "")) or nil)
  end
  return rows
end

--- Return what is drawn in a buffer: the lines with a highlight of their own, the virtual ones above or below a line,
--- and the words that stand out.
local function drawn(buffer, purpose)
  local space = vim.api.nvim_create_namespace("patchpoint." .. purpose)
  local found = { lines = {}, virtual = {}, words = {} }
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, space, 0, -1, { details = true })) do
    local row, details = mark[2] + 1, mark[4]
    if details.hl_eol then
      table.insert(found.lines, { row, details.hl_group })
    elseif details.hl_group then
      local word = vim.api.nvim_buf_get_text(buffer, mark[2], mark[3], mark[2], details.end_col, {})[1]
      table.insert(found.words, { word, details.hl_group })
    end
    for _, line in ipairs(details.virt_lines or {}) do
      local text, words = "", {}
      for _, piece in ipairs(line) do
        text = text .. piece[1]
        if piece[2]:find("Word") then
          table.insert(words, piece[1])
        end
      end
      local place = details.virt_lines_above and "above" or "below"
      table.insert(found.virtual, { place, row, (text:gsub("%s+$", "")), table.concat(words, "|") })
    end
  end
  return found
end

local function press(keys)
  vim.api.nvim_feedkeys(vim.keycode(keys), "x", false)
end
local function left(count)
  act.wait(count .. " changes in the list", function()
    return #vim.fn.getqflist() == count
  end)
end
local function title(text)
  act.wait("the title " .. text, function()
    return vim.fn.getqflist({ title = 0 }).title:find(text, 1, true) ~= nil
  end)
end

require("patchpoint").setup({ keys = true })
local one = act.open("one.txt")
vim.cmd("Patchpoint review")
left(12)
vim.cmd.cclose()
vim.api.nvim_set_current_buf(one)
seen.review = drawn(one, "review")
vim.api.nvim_win_set_cursor(0, { 1, 0 })
seen.screen = vim.list_slice(screen(), 1, 4)
seen.mapped = vim.fn.maparg("]r", "n") ~= ""

-- The keys: forth and back, also to another file; a range is kept, and the dot does it again.
press("]r")
seen.at = { vim.fn.line(".") }
press("]r")
table.insert(seen.at, vim.fn.line("."))
press("[r")
table.insert(seen.at, vim.fn.line("."))
press("gk")
act.wait("the change after it", function()
  return vim.fn.line(".") == 12
end)
press(".")
act.wait("the change after that", function()
  return vim.fn.line(".") == 24
end)
left(10)
vim.cmd("Patchpoint review toggle")
seen.hidden = #drawn(one, "review").virtual + #drawn(one, "review").lines
vim.cmd("Patchpoint review toggle")
vim.cmd.edit("two.txt")
press("ggVGgk")
left(7)
act.wait("the next file", function()
  return vim.fn.expand("%:t") ~= "two.txt"
end)
vim.cmd.edit("deep/three.txt")
act.wait("what was above the first line", function()
  return screen()[1] == "line 1"
end)
vim.api.nvim_win_set_cursor(0, { 1, 0 })
press("]r]r")
seen.went_to = vim.fn.expand("%:t")
press("[r")
seen.came_from = vim.fn.expand("%:t")
press("gK")
left(6)
act.wait("the next change", function()
  return vim.fn.expand("%:t") ~= "three.txt" or vim.fn.line(".") > 1
end)

-- The words that differ, on both sides.
local block = { old = { "value = price * 2", "gone" }, new = { "value = price * tax" } }
seen.words = { require("patchpoint.hunks").changed_words(block) }
vim.cmd.edit("two.txt")
vim.api.nvim_buf_set_lines(0, 8, 9, false, { "line 8, too" })
act.wait("the changed change", function()
  return #drawn(0, "review").words == 1
end)
seen.word = drawn(0, "review").words[1]
vim.cmd("silent undo")

-- A preview: the file has the old lines, and the new ones are virtual; one change is dropped, and the rest applied.
local tax = act.open("till/tax.py")
vim.fn.setreg("a", act.read(vim.env.ANSWER))
vim.cmd("Patchpoint preview a")
title("Patchpoint preview: ")
seen.title = vim.fn.getqflist({ title = 0 }).title
seen.listed = vim.tbl_map(function(entry)
  return ("%s:%d: %s"):format(vim.fn.fnamemodify(vim.fn.bufname(entry.bufnr), ":t"), entry.lnum, entry.text)
end, vim.fn.getqflist())
vim.api.nvim_set_current_buf(tax)
seen.preview = drawn(tax, "preview")
seen.untouched = not vim.bo[tax].modified
vim.cmd.edit("till/receipt.py")
press("gg]rgK")
title(" 1 dropped")
seen.dropped = {}
for _, entry in ipairs(vim.fn.getqflist()) do
  table.insert(seen.dropped, vim.startswith(entry.text, "dropped: ") and entry.text or nil)
end
seen.notified = {}
vim.cmd("Patchpoint preview apply")
act.wait("the message about what was applied", function()
  return #seen.notified > 0
end)
seen.applied = seen.notified[#seen.notified]
seen.gone = #drawn(tax, "preview").virtual
vim.cmd("silent wall")

-- What waits, at its places: kept there, it is applied.
vim.cmd("Patchpoint pending")
title("Patchpoint: pending edits")
act.wait("what the edit would change at both candidates", function()
  return #drawn(tax, "pending").virtual == 2
end)
seen.pending = drawn(tax, "pending")
vim.cmd.cclose()
vim.api.nvim_set_current_buf(tax)
vim.api.nvim_win_set_cursor(0, { 16, 0 })
press("gk")
act.wait("the edit at its second place", function()
  return vim.api.nvim_buf_get_lines(tax, 15, 16, false)[1]:find("ROUND_HALF_UP", 1, true)
end)
act.wait("nothing drawn where it was", function()
  return #drawn(tax, "pending").virtual == 0
end)
-- A file that is opened only then would start another server.
act.wait("the next edit", function()
  return vim.fn.expand("%:t") == "basket.py"
end)
act.finish(seen)
