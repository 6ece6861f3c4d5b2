-- A clean home with the lines of the page: from an open file to a kept change of a review.
local act = require("acting")
local seen = { notified = {} }

vim.notify = function(message)
  table.insert(seen.notified, message)
end
seen.errors = vim.v.errmsg
local one, client = act.open("one.txt")
local with_plugin = vim.fn.exists(":Patchpoint") == 2
if with_plugin then
  seen.help = vim.fn.getcompletion("patchpoint-setup", "help")
  vim.cmd("Patchpoint review")
  act.wait("twelve changes in the list", function()
    return #vim.fn.getqflist() == 12
  end)
  vim.cmd.cclose()
  vim.api.nvim_set_current_buf(one)
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  vim.cmd("Patchpoint review keep")
  act.wait("eleven changes in the list", function()
    return #vim.fn.getqflist() == 11
  end)
else
  -- Without the plugin, the server alone: its diagnostics and code actions.
  act.call(client, "reviewChanges", {})
  act.wait("the diagnostics", function()
    return #act.diagnostics(one, "review-change") == 3
  end)
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title:find("^Keep") and not action.title:find("^Keep all")
    end,
  })
  act.wait("the kept change", function()
    return #act.diagnostics(one, "review-change") == 2
  end)
end
seen.kept = act.call(client, "reviewChanges", {}).kept
seen.with_plugin = with_plugin
act.finish(seen)
