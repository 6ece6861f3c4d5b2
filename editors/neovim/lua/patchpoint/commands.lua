--- The user command `:Patchpoint`, with one function for each subcommand.
local chats = require("patchpoint.chats")
local completion = require("patchpoint.completion")
local pickers = require("patchpoint.pickers")
local previews = require("patchpoint.preview")
local server = require("patchpoint.server")
local show = require("patchpoint.show")

local M = {}
local commands = {}

local DONE = { applied = true, reverted = true, matched = true, alreadyApplied = true }

local function count(number, thing)
  return ("%d %s%s"):format(number, thing, number == 1 and "" or "s")
end

--- Return the text that `:Patchpoint apply` is for: the lines of the range, else a register.
--- Return nothing, with a message, where there is none or it only shows edits.
local function answer_text(invocation, words)
  if invocation.range > 0 then
    if server.is_shown(0) then
      server.notify("this only previews edits; apply them from the answer", vim.log.levels.WARN)
      return nil
    end
    local lines = vim.api.nvim_buf_get_lines(0, invocation.line1 - 1, invocation.line2, false)
    return table.concat(lines, "\n") .. "\n"
  end
  local register = (words[1] or "+"):gsub('^"', "")
  if #register ~= 1 or not register:match('[%w"+*.:%%#=_/~-]') then
    server.notify(("'%s' is not a register; name one, or select the answer"):format(words[1]), vim.log.levels.ERROR)
    return nil
  end
  local text = vim.fn.getreg(register)
  if vim.trim(text) == "" then
    server.notify(("register %s is empty; copy the model's answer first"):format(register), vim.log.levels.WARN)
    return nil
  end
  return text
end

local function is_there(edit)
  return edit.status == "alreadyApplied"
end

--- Notify in one line what became of the edits; those that were refused are put into the quickfix list.
local function report_outcomes(answer, client)
  local refused, held = {}, 0
  for _, edit in ipairs(answer.edits) do
    if edit.status == "held" then
      held = held + 1
    elseif not DONE[edit.status] then
      table.insert(refused, edit)
    end
  end
  local total = #answer.edits
  if total == 0 then
    local reason = answer.unplaced and answer.unplaced[1]
    local why = reason and (": " .. reason.message) or ""
    server.notify("no edits found in the text" .. why, vim.log.levels.WARN, client)
  elseif #refused == 0 then
    local status = answer.edits[1].status
    local verb = status == "reverted" and "reverted" or answer.applied and "applied" or "fit"
    if #vim.tbl_filter(is_there, answer.edits) == total then
      verb = total == 1 and "is there already" or "are there already"
    end
    local remark = answer.remark and answer.remark ~= "" and ("; " .. answer.remark) or ""
    server.notify(("%s %s%s"):format(count(total, "edit"), verb, remark), nil, client)
  else
    local fit = total - #refused - held
    local listed = show.quickfix(refused, "Patchpoint: refused edits") > 0 and "; :copen lists why" or ""
    local message = ("%d of %s %s"):format(fit, count(total, "edit"), answer.applied and "applied" or "fit")
    local conflict = vim.tbl_filter(function(edit)
      return edit.status == "conflict"
    end, refused)[1]
    if conflict then
      -- It says what became of the file, which may have been changed all the same.
      message = message .. ": " .. conflict.message
    elseif held > 0 and not answer.applied then
      message = ("nothing was applied: %d of %s do not fit; `matching` applies the others"):format(
        #refused,
        count(total, "edit")
      )
    end
    server.notify(message .. listed, vim.log.levels.WARN, client)
  end
  return refused
end

--- Return whether a key of a result has no value: null is nil or `vim.NIL`, as Neovim reads it.
local function is_null(value)
  return value == nil or value == vim.NIL
end

local function label_of(checkpoint)
  return not is_null(checkpoint.label) and checkpoint.label ~= "" and checkpoint.label or checkpoint.kind
end

--- Return what a list calls a checkpoint: before the prompt of an agent, also by its number.
local function listed_name(checkpoint)
  local is_prompt = checkpoint.kind == "run" and not is_null(checkpoint.agent) and not is_null(checkpoint.number)
  local number = is_prompt and ("%s#%d · "):format(checkpoint.agent, checkpoint.number) or ""
  return number .. label_of(checkpoint)
end

local function matching(items, word, name)
  for _, item in ipairs(items) do
    if item.id == word or name(item) == word then
      return item
    end
  end
  local found = vim.tbl_filter(function(item)
    return #word >= 4 and vim.startswith(item.id, word)
  end, items)
  return #found == 1 and found[1] or nil
end

--- Return the lines of what has changed since a checkpoint or, the other way round, of what restoring it would change.
local function lines_of(answer, is_back)
  local diffs = vim.tbl_map(function(file)
    return is_back and show.reversed(file.diff) or file.diff
  end, answer.files)
  return #diffs > 0 and show.lines_of(diffs) or { "Nothing has changed since then." }
end

--- Return what shows a checkpoint in a picker: each is compared once.
local function preview_of_checkpoint(is_back)
  local compared = {}
  return function(checkpoint, show_lines)
    if compared[checkpoint.id] then
      show_lines(compared[checkpoint.id])
      return
    end
    server.request("diffCheckpoint", { checkpoint = checkpoint.id }, function(failure, answer)
      compared[checkpoint.id] = failure and vim.split(failure.message, "\n") or lines_of(answer, is_back)
      show_lines(compared[checkpoint.id])
    end)
  end
end

--- Find the checkpoint that the words name by id or label, or let the person pick one; `is_back` where that is to be restored.
local function with_checkpoint(words, prompt, on_choice, is_back)
  server.call("listCheckpoints", {}, function(answer, client)
    local word = table.concat(words, " ")
    if #answer.checkpoints == 0 then
      server.notify("no checkpoints yet", nil, client)
    elseif word == "" then
      pickers.pick(answer.checkpoints, {
        prompt = prompt,
        kind = "checkpoint",
        name = function(one)
          return ("%s  %s%s"):format(show.when(one.createdAt), listed_name(one), one.pinned and "  (pinned)" or "")
        end,
        preview = preview_of_checkpoint(is_back),
      }, on_choice)
    else
      local found = matching(answer.checkpoints, word, label_of)
      if found then
        on_choice(found)
      else
        server.notify(("there is no checkpoint '%s'"):format(word), vim.log.levels.ERROR, client)
      end
    end
  end)
end

local function title_of(application)
  local edits, files = count(#application.edits, "edit"), count(#application.files, "file")
  return ("answer of %s, %s in %s"):format(show.when(application.createdAt), edits, files)
end

local function operation_title(operation)
  return operation.label ~= "" and operation.label or operation.kind
end

local function report_restore(answer, client)
  local message = ("restored: %d written, %d deleted; `undo` undoes that"):format(#answer.written, #answer.deleted)
  server.notify(message, nil, client)
end

--- The arguments for the edits of a text: with `origin`, the chat and the message that it is from.
local function edits_of(text, origin, arguments)
  local from = origin and { session = origin.session, message = origin.message } or {}
  return vim.tbl_extend("error", { text = text, previewed = true }, from, arguments)
end

local function preview(text, origin)
  -- With `atomic = "edit"`, the edits that match are shown although others do not.
  local arguments = edits_of(text, origin, { atomic = "edit", dryRun = true })
  server.call("applyEdits", arguments, function(answer, client)
    local refused = report_outcomes(answer, client)
    if #answer.files > 0 then
      previews.open(answer, show.places(refused), client)
    end
  end)
end

--- Apply an answer. What would be applied is shown first if it is no longer what a preview has shown.
local function apply(text, atomic, origin)
  local arguments = edits_of(text, origin, { atomic = atomic })
  server.call("applyEdits", arguments, report_outcomes, {
    ["preview-outdated"] = function()
      preview(text, origin)
    end,
  })
end

function commands.apply(invocation, words)
  local text = answer_text(invocation, words)
  if text then
    apply(text)
  end
end

function commands.matching(invocation, words)
  local text = answer_text(invocation, words)
  if text then
    apply(text, "edit")
  end
end

function commands.preview(invocation, words)
  if words[1] == "apply" then
    previews.apply(report_outcomes)
    return
  elseif words[1] == "diff" then
    previews.difference(report_outcomes)
    return
  end
  local text = answer_text(invocation, words)
  if text then
    preview(text)
  end
end

--- Do with the newest answer of a chat what is said: "apply", "matching" or "preview".
local function with_answer(answer, verb)
  if verb == "preview" then
    preview(answer.text, answer)
  else
    apply(answer.text, verb == "matching" and "edit" or nil, answer)
  end
end

--- Apply or preview the newest answer of a chat plugin.
function commands.answer(_, words)
  local verb = words[1] or "apply"
  local answer = chats.newest()
  if not vim.tbl_contains({ "apply", "matching", "preview" }, verb) then
    server.notify(("'%s' is not one of apply, matching and preview"):format(verb), vim.log.levels.ERROR)
  elseif not answer then
    server.notify("no chat has answered yet; see :help patchpoint-chats", vim.log.levels.WARN)
  else
    with_answer(answer, verb)
  end
end

M.with_answer = with_answer

--- List the pending edits in the quickfix list, each at its place or at its candidates, and show them there.
function commands.pending()
  server.call("listPendingEdits", {}, function(answer, client)
    previews.wait(answer.edits, client)
    if #answer.edits == 0 then
      server.notify("no pending edits", nil, client)
    else
      vim.cmd.copen()
    end
  end)
end

--- List every place where a pending edit could go in the location list.
function commands.candidates()
  server.call("listPendingEdits", {}, function(answer, client)
    local places = {}
    for _, edit in ipairs(answer.edits) do
      for number, candidate in ipairs(edit.candidates) do
        table.insert(places, {
          filename = vim.uri_to_fname(edit.uri),
          lnum = candidate.range.start.line + 1,
          end_lnum = candidate.range["end"].line + 1,
          text = ("edit %d, %s"):format(edit.index + 1, show.place_name(number, candidate)),
        })
      end
    end
    vim.fn.setloclist(0, {}, " ", { title = "Patchpoint candidates", items = places })
    if #places == 0 then
      server.notify("no pending edit has candidates", nil, client)
    else
      vim.cmd.lopen()
    end
  end)
end

--- Show what was applied, newest first, and revert what the person picks.
function commands.applications(_, words)
  commands.revert(nil, #words > 0 and words or { "" })
end

--- Revert the last application, the one that is named, or with an empty name the one that the person picks.
function commands.revert(_, words)
  server.call("listApplications", {}, function(answer, client)
    local left = vim.tbl_filter(completion.is_revertible, answer.applications)
    local function revert(application)
      server.call("revertEdits", { application = application.id }, report_outcomes)
    end
    local found = words[1] and words[1] ~= "" and matching(answer.applications, words[1], title_of)
    if found then
      revert(found)
    elseif words[1] and words[1] ~= "" then
      server.notify(("there is no application '%s'"):format(words[1]), vim.log.levels.ERROR, client)
    elseif #left == 0 then
      server.notify("nothing left to revert", nil, client)
    elseif words[1] then
      pickers.pick(left, { prompt = "Revert", kind = "application", name = title_of }, revert)
    else
      revert(left[1])
    end
  end)
end

function commands.checkpoint(_, words)
  local label = #words > 0 and table.concat(words, " ") or nil
  server.call("takeCheckpoint", { label = label }, function(checkpoint, client)
    server.notify(("checkpoint %s of %s"):format(checkpoint.id, count(checkpoint.files, "file")), nil, client)
  end)
end

--- Show the current file as it was next to itself or, where it has not changed, the difference of all files.
function commands.diff(_, words)
  local here = vim.uri_from_fname(vim.fn.expand("%:p"))
  with_checkpoint(words, "Compare with", function(checkpoint)
    server.call("diffCheckpoint", { checkpoint = checkpoint.id }, function(answer, client)
      for _, file in ipairs(answer.files) do
        local original = file.originalUri
        if file.uri == here and file.operation == "update" and type(original) == "string" then
          show.side_by_side(vim.uri_to_fname(file.uri), original, client)
          return
        end
      end
      show.diff(
        checkpoint.id,
        vim.tbl_map(function(file)
          return file.diff
        end, answer.files),
        client
      )
    end)
  end)
end

--- Show what a restore would change, then ask.
function commands.restore(_, words)
  with_checkpoint(words, "Restore", function(checkpoint)
    server.call("diffCheckpoint", { checkpoint = checkpoint.id }, function(answer, client)
      if #answer.files == 0 then
        server.notify("nothing has changed since that checkpoint", nil, client)
        return
      end
      show.diff(
        checkpoint.id,
        vim.tbl_map(function(file)
          return show.reversed(file.diff)
        end, answer.files),
        client
      )
      vim.ui.select({ "Restore", "Leave everything as it is" }, {
        prompt = ("Restore %s as shown?"):format(count(#answer.files, "file")),
      }, function(_, choice)
        if choice == 1 then
          server.call("restoreCheckpoint", { checkpoint = checkpoint.id }, report_restore)
        end
      end)
    end)
  end, true)
end

local function carry_out(way, operation)
  local arguments = { operation = operation, dryRun = true }
  server.call(way, arguments, function(planned)
    local what = operation_title(planned.operation)
    local title = ("%s: %s (%s)"):format(way, what, count(#planned.files, "file"))
    vim.ui.select({ way == "undo" and "Undo" or "Redo", "Leave everything as it is" }, {
      prompt = title,
    }, function(_, choice)
      if choice == 1 then
        server.call(way, { operation = operation }, function(_, client)
          server.notify((way == "undo" and "undone: " or "redone: ") .. what, nil, client)
        end)
      end
    end)
  end)
end

--- Undo the last operation, whatever it was, once its name was seen.
function commands.undo()
  carry_out("undo")
end

function commands.redo()
  carry_out("redo")
end

--- Pick an operation, and undo it, or redo it where it is undone.
function commands.operations()
  server.call("listOperations", { limit = 50 }, function(answer)
    local own = vim.tbl_filter(function(one)
      return is_null(one.target) -- an undo or a redo is undone by its target
    end, answer.operations)
    local function name(one)
      local state = one.state == "undone" and "  (undone)" or ""
      return ("%s  %s, %s%s"):format(show.when(one.at), operation_title(one), count(#one.files, "file"), state)
    end
    pickers.pick(own, { prompt = "Undo or redo", kind = "operation", name = name }, function(one)
      carry_out(one.state == "undone" and "redo" or "undo", one.id)
    end)
  end)
end

--- Give a checkpoint another name.
function commands.rename(_, words)
  with_checkpoint({ words[1] }, "Rename", function(checkpoint)
    local function rename(label)
      if label and label ~= "" then
        server.call("renameCheckpoint", { checkpoint = checkpoint.id, label = label }, function(renamed, client)
          server.notify(("checkpoint %s renamed to “%s”"):format(renamed.id, renamed.label), nil, client)
        end)
      end
    end
    if #words > 1 then
      rename(table.concat(words, " ", 2))
    else
      vim.ui.input({ prompt = "New name: ", default = label_of(checkpoint) }, rename)
    end
  end)
end

--- Keep a checkpoint until somebody deletes it, or no longer.
function commands.pin(_, words)
  with_checkpoint(words, "Pin or unpin", function(checkpoint)
    local given = { checkpoint = checkpoint.id, pinned = not checkpoint.pinned }
    server.call("renameCheckpoint", given, function(answer, client)
      local state = answer.pinned and "is kept until it is deleted" or "is no longer pinned"
      server.notify(("checkpoint %s %s"):format(answer.id, state), nil, client)
    end)
  end)
end

--- Forget the pending edit that is named, or all of them after a question.
function commands.discard(invocation, words)
  local function discard(arguments)
    server.call("discardEdit", arguments, function(answer, client)
      server.notify(count(#answer.discarded, "pending edit") .. " discarded", nil, client)
    end)
  end
  if words[1] then
    discard({ edit = words[1] })
    return
  end
  server.call("listPendingEdits", {}, function(answer, client)
    if #answer.edits == 0 then
      server.notify("no pending edits", nil, client)
    elseif invocation.bang then
      discard({ all = true })
    else
      vim.ui.select({ "Discard them", "Keep them" }, {
        prompt = ("Discard %s?"):format(count(#answer.edits, "pending edit")),
      }, function(_, choice)
        if choice == 1 then
          discard({ all = true })
        end
      end)
    end
  end)
end

--- Stop the server of the project, and start it again.
function commands.restart()
  require("patchpoint").restart(function(client)
    server.notify("the server has been restarted", nil, client)
  end)
end

--- Review what was written since a checkpoint.
function commands.review(invocation, words)
  require("patchpoint.review").run(invocation, words)
end

--- Put what to say to a model, so that its edits can be applied, into a register.
function commands.instructions(_, words)
  server.call("modelInstructions", {}, function(answer, client)
    vim.fn.setreg(words[1] or "+", answer.text)
    server.notify("instructions for the model copied; paste them into the chat", nil, client)
  end)
end

--- Put what to send back to the model about the edits that wait into a register.
function commands.feedback(_, words)
  server.call("listPendingEdits", {}, function(answer, client)
    if answer.feedback == "" then
      server.notify("no pending edits", nil, client)
      return
    end
    vim.fn.setreg(words[1] or "+", answer.feedback)
    server.notify("feedback for the model copied; paste it into the chat", nil, client)
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
    server.notify(
      ("there is no command '%s'; the commands are %s"):format(name, table.concat(names, ", ")),
      vim.log.levels.ERROR
    )
  end
end

--- Return what completes `lead`.
function M.complete(lead, line)
  return completion.complete(names, lead, line)
end

return M
