-- Apply a drifted answer, choose a candidate from the code action, save, and restore the checkpoint taken before.
local act = require("acting")
local seen = {}

local tax, client = act.open("till/tax.py")
local basket = act.open("till/basket.py")
seen.encoding = client.offset_encoding

local answer = act.call(client, "applyEdits", { text = act.read(vim.env.ANSWER), atomic = "edit" })
seen.answer = answer
act.wait("the indented edit in the buffer", function()
  return act.text(basket):find("if count < 1:", 1, true)
end)
seen.basket_after_apply = act.text(basket)

act.wait("the diagnostic of the ambiguous edit", function()
  return #act.diagnostics(tax, "ambiguous-edit") > 0
end)
act.wait("the diagnostic of the edit that is nowhere", function()
  return #act.diagnostics(basket, "edit-not-found") > 0
end)
local ambiguous = act.diagnostics(tax, "ambiguous-edit")[1]
seen.ambiguous = ambiguous.message
seen.not_found = act.diagnostics(basket, "edit-not-found")[1].message

-- As a person would: the cursor on the diagnostic, the code action for the second candidate.
vim.api.nvim_set_current_buf(tax)
vim.api.nvim_win_set_cursor(0, { ambiguous.lnum + 1, ambiguous.col })
seen.actions = {}
vim.lsp.buf.code_action({
  apply = true,
  filter = function(action)
    table.insert(seen.actions, action.title)
    return action.title:find("candidate 2", 1, true) ~= nil
  end,
})
act.wait("the chosen candidate in the buffer", function()
  return act.text(tax):find("ROUND_HALF_UP)", 1, true)
end)
act.wait("the diagnostic to go", function()
  return #act.diagnostics(tax, "ambiguous-edit") == 0
end)
seen.tax_after_choice = act.text(tax)
vim.cmd("silent wall")
seen.tax_on_disk = act.read("till/tax.py")
seen.receipt_on_disk = act.read("till/receipt.py")

local restored = act.call(client, "restoreCheckpoint", { checkpoint = answer.checkpoint.id })
seen.restored = restored
act.wait("the old text in both buffers", function()
  return not act.text(tax):find("ROUND_HALF_UP", 1, true) and not act.text(basket):find("if count < 1:", 1, true)
end)
seen.tax_after_restore = act.text(tax)
seen.basket_after_restore = act.text(basket)
act.finish(seen)
