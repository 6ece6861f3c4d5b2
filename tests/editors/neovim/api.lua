-- What other plugins call, from a buffer that nothing was said about.
local act = require("acting")
local patchpoint = require("patchpoint")
local seen = { notified = {} }

vim.notify = function(message)
  table.insert(seen.notified, message)
end
local function ask(what, ask_for, ...)
  local answered
  local arguments, count = { ... }, select("#", ...)
  arguments[count + 1] = function(err, answer)
    answered = err or answer
  end
  ask_for(unpack(arguments, 1, count + 1))
  act.wait(what, function()
    return answered ~= nil
  end)
  return answered
end

vim.cmd.enew()
seen.nothing_to_attach = patchpoint.attach() == nil
vim.cmd("noautocmd edit till/tax.py")
local tax = vim.api.nvim_get_current_buf()
seen.before = #vim.lsp.get_clients({ bufnr = tax })
local id = patchpoint.attach(tax)
seen.again = patchpoint.attach() == id
act.wait("the server", function()
  local client = vim.lsp.get_client_by_id(id)
  return client and client.initialized and vim.lsp.buf_is_attached(tax, id)
end)
seen.root = vim.fs.basename(vim.lsp.get_client_by_id(id).root_dir)

local answer = act.read(vim.env.ANSWER)
local checkpoint = act.call(vim.lsp.get_client_by_id(id), "takeCheckpoint", { label = "before" })
local dry = ask("the dry run", patchpoint.apply, answer, { atomic = "edit", dryRun = true })
seen.dry = dry.applied
local result = ask("the result", patchpoint.apply, answer, { atomic = "edit" })
seen.applied = { result.applied, #result.edits }
local pending = ask("the pending edits", patchpoint.pending)
seen.pending = #pending
local ambiguous = vim.tbl_filter(function(edit)
  return edit.status == "ambiguous"
end, pending)[1]
seen.resolved = ask("the resolved edit", patchpoint.resolve, ambiguous.id, 2).edits[1].status
act.wait("one pending edit in the status line", function()
  return patchpoint.status() == "patchpoint: 1 pending"
end)
vim.cmd("silent wall")

local review = ask("the review", patchpoint.review, checkpoint.id)
seen.open = review.open
local file = review.files[1]
seen.decided = ask("the decision", patchpoint.decide, review.review, file.hunks[1].id, "keep", nil).hunks[1].decision
seen.finished = ask("the end", patchpoint.finish_review, review.review).kept

local applications = ask("the applications", patchpoint.applications)
seen.applications = #applications
seen.reverted = ask("the reverted application", patchpoint.revert, applications[1].id).edits[1].status
seen.refused = ask("the refusal", patchpoint.resolve, "no such edit", 1)
seen.undescribed = vim.tbl_filter(function(name)
  return not vim.startswith(vim.fn.maparg(name, "n", false, true).desc or "", "Patchpoint")
end, vim.split(vim.env.MAPPINGS, " "))
seen.mappings = vim.tbl_filter(function(name)
  return vim.fn.maparg(name, "n") ~= ""
end, vim.split(vim.env.MAPPINGS, " "))
act.finish(seen)
