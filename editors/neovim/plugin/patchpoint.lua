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
for _, name in ipairs({ "apply", "matching", "preview" }) do
  vim.keymap.set("n", ("<Plug>(patchpoint-%s)"):format(name), ("<Cmd>Patchpoint %s<CR>"):format(name))
  vim.keymap.set("x", ("<Plug>(patchpoint-%s)"):format(name), (":Patchpoint %s<CR>"):format(name))
end
for _, name in ipairs({
  "answer",
  "pending",
  "candidates",
  "discard",
  "revert",
  "applications",
  "checkpoint",
  "diff",
  "restore",
  "undo",
  "review",
  "instructions",
}) do
  vim.keymap.set("n", ("<Plug>(patchpoint-%s)"):format(name), ("<Cmd>Patchpoint %s<CR>"):format(name))
end
