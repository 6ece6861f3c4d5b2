-- The plugin's own commands: apply from a register, pick a checkpoint, restore it, undo that.
local act = require("acting")
local seen = { notified = {}, selected = {} }

vim.notify = function(message)
  table.insert(seen.notified, message)
end
-- A person who picks the first checkpoint and then says yes.
vim.ui.select = function(items, options, on_choice)
  table.insert(seen.selected, { prompt = options.prompt, first = (options.format_item or tostring)(items[1]) })
  on_choice(items[1], 1)
end
local function notified(text)
  act.wait("the message '" .. text .. "'", function()
    return vim.tbl_contains(seen.notified, function(message)
      return message:find(text, 1, true) ~= nil
    end, { predicate = true })
  end)
end

require("patchpoint").setup({ settings = { patchpoint = { match = { minMargin = 0.2 } } } })
local tax = act.open("till/tax.py")
seen.completion = vim.fn.getcompletion("Patchpoint ", "cmdline")

vim.cmd("Patchpoint checkpoint before the answer")
notified("checkpoint ")

vim.fn.setreg("a", act.read(vim.env.ANSWER))
vim.cmd("Patchpoint preview a")
notified("4 of 6 edits fit")
act.wait("the list of what would change", function()
  return vim.fn.getqflist({ title = 0 }).title:find("preview", 1, true)
end)
seen.preview = vim.tbl_map(function(entry)
  return entry.text
end, vim.fn.getqflist())

vim.cmd("Patchpoint matching a")
notified("4 of 6 edits applied; :copen lists why")
seen.refused = vim.fn.getqflist()
vim.cmd("Patchpoint candidates")
act.wait("the location list", function()
  return #vim.fn.getloclist(0) > 0
end)
seen.candidates = vim.tbl_map(function(place)
  return place.lnum
end, vim.fn.getloclist(0))
vim.cmd.lclose()
vim.cmd("silent wall")
seen.tax_on_disk = act.read("till/tax.py")

vim.cmd("Patchpoint restore")
notified("restored: ")
act.wait("the old text in the buffer", function()
  return not act.text(tax):find("ROUND_HALF_UP", 1, true)
end)
seen.tax_restored = act.read("till/tax.py")

seen.notified = {}
vim.cmd("Patchpoint undo")
notified("undone: ")
act.wait("the new text in the buffer", function()
  return act.text(tax):find("ROUND_HALF_UP", 1, true)
end)
seen.tax_after_undo = act.read("till/tax.py")
vim.cmd("Patchpoint redo")
notified("redone: ")
act.wait("the old text in the buffer, again", function()
  return not act.text(tax):find("ROUND_HALF_UP", 1, true)
end)
seen.tax_after_redo = act.read("till/tax.py")
seen.notified = {}
vim.cmd("Patchpoint operations")
notified("undone: ")
act.wait("the new text in the buffer, by what was picked", function()
  return act.text(tax):find("ROUND_HALF_UP", 1, true)
end)

vim.cmd("Patchpoint instructions b")
notified("instructions for the model copied")
seen.instructions = vim.fn.getreg("b")
vim.cmd("Patchpoint feedback b")
notified("feedback for the model copied")
seen.feedback = vim.fn.getreg("b")

vim.cmd.checkhealth("patchpoint")
seen.health = act.text(vim.api.nvim_get_current_buf())
act.finish(seen)
