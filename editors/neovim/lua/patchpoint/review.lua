--- The review of what was written since a checkpoint, from its beginning to the summary.
local changes = require("patchpoint.changes")
local server = require("patchpoint.server")

local M = {}

--- The review that is shown: its id, its files by URI, and its numbers.
local review = { files = {} }

local WORDS = { keep = "keep", drop = "takeBack", open = "open" }

local function decide(change, decision, reason, on_done)
  local arguments = { review = review.id, hunk = change.id, decision = WORDS[decision], reason = reason }
  server.call("reviewHunk", arguments, function()
    if decision == "drop" then
      vim.cmd.checktime()
    end
    on_done()
  end)
end

--- Return what lists say of a file that is one change: what became of it.
local function as_a_whole(file)
  local former = file.oldUri ~= vim.NIL and file.oldUri and " from " .. vim.fs.basename(vim.uri_to_fname(file.oldUri))
  return ("the file, as a whole (%sd%s)"):format(file.operation, former or "")
end

--- Show the open changes in their files, and, `with_list` or where it is there, in the quickfix list.
local function show(client, with_list)
  local found = {}
  for uri, file in pairs(review.files) do
    for _, hunk in ipairs(file.hunks) do
      local range = hunk.range ~= vim.NIL and hunk.range or nil
      table.insert(found, hunk.decision == "open" and {
        id = hunk.id,
        uri = uri,
        row = range and range.start.line,
        size = changes.size(range),
        diff = hunk.diff,
        where = hunk.where,
        risk = hunk.risk,
        decision = "open",
        text = not range and as_a_whole(file) or nil,
      } or nil)
    end
  end
  local title = ("Patchpoint review: %d open, %d kept, %d reverted"):format(review.open, review.kept, review.back)
  local set = { purpose = "review", side = "new", title = title, changes = changes.sort(found) }
  set.decide, set.client = decide, client
  changes.show(set, with_list)
end

--- Take what the server says of a review: all of its files, or those that have changed.
local function receive(answer)
  if review.id ~= answer.review then
    changes.forget("review")
    review = { id = answer.review, files = {} }
  end
  review.kept, review.back, review.open = answer.kept, answer.takenBack, answer.open
  for _, file in ipairs(answer.files) do
    review.files[file.uri] = #file.hunks > 0 and file or nil
  end
  vim.api.nvim_exec_autocmds("User", { pattern = "PatchpointReview", data = answer })
end

--- Handle `patchpoint/didChangeReview`: what is shown follows.
function M.changed(_, answer, context)
  if answer.finished then
    review = { files = {} }
    changes.forget("review")
    vim.api.nvim_exec_autocmds("User", { pattern = "PatchpointReview", data = answer })
    return
  end
  receive(answer)
  show(vim.lsp.get_client_by_id(context.client_id))
end

--- Return the checkpoint since which a file is reviewed, nil where it is not.
---@param uri string
---@return string?
function M.since(uri)
  return review.files[uri] and review.id
end

--- Begin a review, or go on with it, and list the open changes in the quickfix list.
---@param since? string a checkpoint, by any of its names
function M.begin(since)
  server.call("reviewChanges", { since = since }, function(answer, client)
    review.files = {}
    receive(answer)
    show(client, true)
    if answer.open == 0 then
      local message = "nothing left to review: kept %d, reverted %d"
      server.notify(message:format(answer.kept, answer.takenBack), nil, client)
    else
      vim.cmd.copen()
    end
  end)
end

--- Save the buffers of these files; return whether all of them could be.
local function save(uris)
  for _, uri in ipairs(uris) do
    local ok, message = pcall(vim.api.nvim_buf_call, vim.uri_to_bufnr(uri), function()
      vim.cmd("silent write")
    end)
    if not ok then
      server.notify(tostring(message), vim.log.levels.ERROR)
      return false
    end
  end
  return true
end

local function finish(register)
  server.call("finishReview", { review = review.id }, function(answer, client)
    vim.fn.setreg(register or "+", answer.summary)
    local message = "kept %d, reverted %d, undecided %d; summary copied; paste it into the chat"
    server.notify(message:format(answer.kept, answer.takenBack, answer.open), nil, client)
  end)
end

--- End the review, and put the summary for the model into a register. Where files of it are not saved, ask first.
---@param register? string
function M.finish(register)
  if not review.id then
    local message = "no review here; :Patchpoint review starts one"
    server.notify(message, vim.log.levels.WARN, server.client())
    return
  end
  server.call("finishReview", { review = review.id, dryRun = true }, function(answer)
    if #answer.unsaved == 0 then
      finish(register)
      return
    end
    local names = vim.tbl_map(function(uri)
      return vim.fs.basename(vim.uri_to_fname(uri))
    end, answer.unsaved)
    vim.ui.select({ "Save and finish", "Finish", "Go on with the review" }, {
      prompt = ("Not saved: %s"):format(table.concat(names, ", ")),
    }, function(_, choice)
      if choice == 2 or (choice == 1 and save(answer.unsaved)) then
        finish(register)
      end
    end)
  end)
end

--- What `:Patchpoint review` does with a change, and with what is shown.
local verbs = {
  keep = function(_, first, last)
    changes.decide("keep", first, last)
  end,
  ["take-back"] = function(words, first, last)
    changes.decide("drop", first, last, #words > 0 and table.concat(words, " ") or nil)
  end,
  open = function(_, first, last)
    changes.decide("open", first, last)
  end,
  next = function()
    changes.go(1)
  end,
  previous = function()
    changes.go(-1)
  end,
  toggle = function()
    changes.toggle()
  end,
  finish = function(words)
    M.finish(words[1])
  end,
}

--- Run `:[range]Patchpoint review [keep|take-back REASON|open|next|previous|toggle|finish REGISTER|CHECKPOINT]`.
function M.run(invocation, words)
  local verb = verbs[words[1]]
  if not verb then
    M.begin(words[1])
  elseif invocation.range > 0 then
    verb(vim.list_slice(words, 2), invocation.line1, invocation.line2)
  else
    verb(vim.list_slice(words, 2))
  end
end

return M
