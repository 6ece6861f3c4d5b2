if vim.g.loaded_patchpoint then
  return
end
vim.g.loaded_patchpoint = true

vim.api.nvim_create_user_command("Patchpoint", function(invocation)
  require("patchpoint.commands").run(invocation)
end, {
  nargs = "*",
  range = true,
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
}) do
  vim.keymap.set("n", ("<Plug>(patchpoint-review-%s)"):format(name), function()
    decide(require("patchpoint.review"))
  end, { desc = "Patchpoint review: " .. name })
end
