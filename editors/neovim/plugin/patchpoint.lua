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
