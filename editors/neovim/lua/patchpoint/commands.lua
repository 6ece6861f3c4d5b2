--- The user command `:Patchpoint`, with one function for each subcommand.
local server = require("patchpoint.server")

local M = {}
local commands = {}

--- Return the text that `:Patchpoint apply` is for: the lines of the range, else a register.
--- Return nothing for the text of a preview or a comparison, which only shows edits.
local function answer_text(invocation, register)
  if invocation.range > 0 then
    local name = vim.api.nvim_buf_get_name(0):gsub("\\", "/")
    if name:match("^patchpoint:") or name:match("/shown/" .. ("%x"):rep(12) .. "/") then
      vim.notify("Patchpoint: this only shows edits; apply them where the answer is", vim.log.levels.WARN)
      return nil
    end
    local lines = vim.api.nvim_buf_get_lines(0, invocation.line1 - 1, invocation.line2, false)
    return table.concat(lines, "\n") .. "\n"
  end
  return vim.fn.getreg(register or "+")
end

local function notify(message, level)
  vim.notify("Patchpoint: " .. message, level or vim.log.levels.INFO)
end

--- Notify how many edits were applied, then the message of each that was not.
local function report_outcomes(answer)
  local applied, refused = 0, {}
  for _, edit in ipairs(answer.edits) do
    if vim.tbl_contains({ "applied", "reverted", "matched", "alreadyApplied" }, edit.status) then
      applied = applied + 1
    else
      table.insert(refused, edit.message)
    end
  end
  local verb = answer.applied and "applied" or "would be applied"
  notify(("%d of %d edits %s"):format(applied, #answer.edits, verb))
  if #refused > 0 then
    notify(table.concat(refused, "\n"), vim.log.levels.WARN)
  end
end

--- Show a unified diff in a new scratch window.
local function show_diff(title, files)
  local lines = {}
  for _, file in ipairs(files) do
    vim.list_extend(lines, vim.split((file.diff:gsub("\n$", "")), "\n"))
  end
  if #lines == 0 then
    notify("there are no differences")
    return
  end
  vim.cmd.new()
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].swapfile = false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].filetype = "diff"
  vim.bo[buffer].modifiable = false
  pcall(vim.api.nvim_buf_set_name, buffer, "patchpoint://" .. title)
end

--- Let the person pick a checkpoint.
local function pick(prompt, on_choice)
  server.call("listCheckpoints", {}, function(answer)
    if #answer.checkpoints == 0 then
      notify("there are no checkpoints yet")
      return
    end
    vim.ui.select(answer.checkpoints, {
      prompt = prompt,
      kind = "patchpoint_checkpoint",
      format_item = function(checkpoint)
        local label = checkpoint.label ~= vim.NIL and checkpoint.label or ""
        return ("%s  %s  %s"):format(checkpoint.createdAt:sub(1, 19):gsub("T", " "), checkpoint.kind, label)
      end,
    }, function(checkpoint)
      if checkpoint then
        on_choice(checkpoint)
      end
    end)
  end)
end

local function report_restore(answer)
  notify(("restored: %d written, %d deleted"):format(#answer.written, #answer.deleted))
end

local function preview(text)
  -- With `atomic = "edit"`, the edits that match are shown although others do not.
  server.call("applyEdits", { text = text, atomic = "edit", dryRun = true, previewed = true }, function(answer)
    report_outcomes(answer)
    show_diff("preview", answer.files)
  end)
end

--- Apply an answer. What would be applied is shown first if it is no longer what a preview has shown.
local function apply(text, atomic)
  local arguments = { text = text, atomic = atomic, previewed = true }
  server.call("applyEdits", arguments, report_outcomes, {
    ["preview-outdated"] = function()
      preview(text)
    end,
  })
end

function commands.apply(invocation, words)
  local text = answer_text(invocation, words[1])
  if text then
    apply(text)
  end
end

function commands.matching(invocation, words)
  local text = answer_text(invocation, words[1])
  if text then
    apply(text, "edit")
  end
end

function commands.preview(invocation, words)
  local text = answer_text(invocation, words[1])
  if text then
    preview(text)
  end
end

--- List every place where a pending edit could go in the location list.
function commands.candidates()
  server.call("listPendingEdits", {}, function(answer)
    local places = {}
    for _, edit in ipairs(answer.edits) do
      for number, candidate in ipairs(edit.candidates) do
        table.insert(places, {
          filename = vim.uri_to_fname(edit.uri),
          lnum = candidate.range.start.line + 1,
          end_lnum = candidate.range["end"].line + 1,
          text = ("edit %d, candidate %d (%.0f%%)"):format(edit.index + 1, number, candidate.similarity * 100),
        })
      end
    end
    vim.fn.setloclist(0, {}, " ", { title = "Patchpoint candidates", items = places })
    if #places == 0 then
      notify("no pending edit has candidates")
    else
      vim.cmd.lopen()
    end
  end)
end

function commands.checkpoint(_, words)
  local label = #words > 0 and table.concat(words, " ") or nil
  server.call("takeCheckpoint", { label = label }, function(checkpoint)
    notify(("checkpoint %s of %d files"):format(checkpoint.id, checkpoint.files))
  end)
end

function commands.diff()
  pick("Compare with", function(checkpoint)
    server.call("diffCheckpoint", { checkpoint = checkpoint.id }, function(answer)
      show_diff(checkpoint.id, answer.files)
    end)
  end)
end

--- Show what a restore would change, then ask.
function commands.restore()
  pick("Restore", function(checkpoint)
    server.call("diffCheckpoint", { checkpoint = checkpoint.id }, function(answer)
      show_diff(checkpoint.id, answer.files)
      vim.ui.select({ "Restore", "Leave everything as it is" }, {
        prompt = ("%d files differ from the checkpoint"):format(#answer.files),
      }, function(_, choice)
        if choice == 1 then
          server.call("restoreCheckpoint", { checkpoint = checkpoint.id }, report_restore)
        end
      end)
    end)
  end)
end

function commands.undo()
  server.call("undoRestore", {}, report_restore)
end

function commands.discard()
  server.call("discardEdit", { all = true }, function(answer)
    notify(("%d pending edits discarded"):format(#answer.discarded))
  end)
end

--- Review what was written since a checkpoint.
function commands.review(invocation, words)
  require("patchpoint.review").run(invocation, words)
end

--- Put what to say to a model, so that its edits can be applied, into a register.
function commands.instructions(_, words)
  server.call("modelInstructions", {}, function(answer)
    vim.fn.setreg(words[1] or "+", answer.text)
    notify("instructions for the model copied; paste them into the chat")
  end)
end

local names = vim.tbl_keys(commands)
table.sort(names)

--- Run `:Patchpoint SUBCOMMAND ...`.
function M.run(invocation)
  local words = vim.deepcopy(invocation.fargs)
  local name = table.remove(words, 1) or "apply"
  if commands[name] then
    commands[name](invocation, words)
  else
    notify(
      ("there is no command '%s'; the commands are %s"):format(name, table.concat(names, ", ")),
      vim.log.levels.ERROR
    )
  end
end

--- Return the subcommands that complete `lead`.
function M.complete(lead, line)
  if line:match("Patchpoint%s+%S+%s") then
    return {}
  end
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, names)
end

return M
