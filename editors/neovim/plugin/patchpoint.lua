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

-- In visual mode they decide about the selected lines, and `.` repeats them.
for name, decision in pairs({ keep = "keep", ["take-back"] = "drop" }) do
  vim.keymap.set({ "n", "x" }, ("<Plug>(patchpoint-review-%s)"):format(name), function()
    return require("patchpoint.changes").operator(decision)
  end, { expr = true, desc = "Patchpoint review: " .. name })
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
  undo = "undo the last operation",
  redo = "redo what was undone",
  operations = "pick an operation to undo or redo",
  review = "review what was written",
  ["review next"] = "go to the next change",
  ["review previous"] = "go to the change before",
  ["review toggle"] = "hide the changes, or show them again",
  ["review finish"] = "finish the review",
  ["preview apply"] = "apply what is kept of the preview",
  ["preview diff"] = "show the preview as one difference",
  instructions = "copy the instructions for the model",
  feedback = "copy the feedback for the model",
  restart = "restart the server",
}
for name, what in pairs(done) do
  local keys, described = ("<Plug>(patchpoint-%s)"):format((name:gsub(" ", "-"))), { desc = "Patchpoint: " .. what }
  vim.keymap.set("n", keys, ("<Cmd>Patchpoint %s<CR>"):format(name), described)
  if vim.tbl_contains({ "apply", "matching", "preview" }, name) then
    vim.keymap.set("x", keys, (":Patchpoint %s<CR>"):format(name), described)
  end
end
