-- Edits that wait: what is offered at a place, in which order, and what the lists say of each place.
local act = require("acting")
local seen = {}

require("patchpoint").setup()
local buffer, client = act.open("ledger.py")
act.call(client, "applyEdits", { text = act.read("answer.md"), atomic = "edit" })
act.wait("the diagnostics", function()
  return #act.diagnostics(buffer, "ambiguous-edit") > 0 and #act.diagnostics(buffer, "edit-not-found") == 2
end)

--- Return what the menu offers at a line, in its order.
local function offered_at(line)
  vim.api.nvim_win_set_cursor(0, { line, 8 })
  local shown
  vim.ui.select = function(items, options, on_choice)
    shown = vim.tbl_map(function(item)
      return { title = item.action.title, preferred = item.action.isPreferred == true }
    end, items)
    on_choice(nil)
  end
  vim.lsp.buf.code_action({ context = { only = { "quickfix" }, diagnostics = {} } })
  act.wait("the menu at line " .. line, function()
    return shown
  end)
  return shown
end

seen.first = offered_at(3)
seen.second = offered_at(9)
seen.similar = offered_at(13)

local function texts(items)
  return vim.tbl_map(function(item)
    return ("%d: %s"):format(item.lnum, item.text)
  end, items)
end
vim.cmd("Patchpoint pending")
act.wait("the quickfix list", function()
  return #vim.fn.getqflist() > 0
end)
seen.pending = texts(vim.fn.getqflist())
vim.cmd.wincmd("p")
vim.cmd("Patchpoint candidates")
act.wait("the location list", function()
  return #vim.fn.getloclist(0) > 0
end)
seen.candidates = texts(vim.fn.getloclist(0))
act.finish(seen)
