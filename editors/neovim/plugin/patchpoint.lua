if vim.g.loaded_patchpoint then
  return
end
vim.g.loaded_patchpoint = true

vim.api.nvim_create_user_command("Patchpoint", function(invocation)
  require("patchpoint.commands").run(invocation)
end, {
  nargs = "*",
  range = true,
  bang = true,
  desc = "Apply edits that a language model wrote; take and restore checkpoints",
  complete = function(lead, line)
    return require("patchpoint.commands").complete(lead, line)
  end,
})

for name, decide in pairs({
  next = function(review)
    review.next()
  end,
  keep = function(review)
    review.decide("keep")
  end,
  ["take-back"] = function(review)
    review.decide("takeBack")
  end,
  finish = function(review)
    review.finish()
  end,
}) do
  vim.keymap.set("n", ("<Plug>(patchpoint-review-%s)"):format(name), function()
    decide(require("patchpoint.review"))
  end, { desc = "Patchpoint review: " .. name })
end

-- No key is taken: map these as you like.
local done = {
  apply = "apply the answer",
  matching = "apply the edits of the answer that match",
  preview = "show what the answer would change",
  answer = "apply the newest answer of a chat",
  pending = "list the pending edits",
  candidates = "list the places of pending edits",
  discard = "discard the pending edits",
  revert = "revert what was applied last",
  applications = "pick what to revert",
  checkpoint = "take a checkpoint",
  diff = "show what has changed since a checkpoint",
  restore = "restore a checkpoint",
  undo = "undo the last restore",
  review = "review what was written",
  instructions = "copy the instructions for the model",
  restart = "restart the server",
}
for name, what in pairs(done) do
  local keys, described = ("<Plug>(patchpoint-%s)"):format(name), { desc = "Patchpoint: " .. what }
  vim.keymap.set("n", keys, ("<Cmd>Patchpoint %s<CR>"):format(name), described)
  if vim.tbl_contains({ "apply", "matching", "preview" }, name) then
    vim.keymap.set("x", keys, (":Patchpoint %s<CR>"):format(name), described)
  end
end
