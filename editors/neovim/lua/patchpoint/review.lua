--- The review of what was written since a checkpoint: the quickfix list, and decisions about the change at the cursor.
local server = require("patchpoint.server")

local M = {}

--- The review that is shown: its id, its files by URI, and the id of the quickfix list.
local shown = { files = {} }

--- Return how many lines a change removes and adds, from its diff.
local function size(hunk)
  local counts = { ["-"] = 0, ["+"] = 0 }
  for line in hunk.diff:gmatch("[^\n]+") do
    local sign = line:sub(1, 1)
    if counts[sign] and not vim.startswith(line, "--- ") and not vim.startswith(line, "+++ ") then
      counts[sign] = counts[sign] + 1
    end
  end
  return ("-%d +%d"):format(counts["-"], counts["+"])
end

--- Return the open changes as entries of a quickfix list, by file and line.
local function entries()
  local found = {}
  for uri, file in pairs(shown.files) do
    for _, hunk in ipairs(file.hunks) do
      if hunk.decision == "open" then
        local whole = hunk.range == nil or hunk.range == vim.NIL
        table.insert(found, {
          filename = vim.uri_to_fname(uri),
          lnum = whole and 1 or hunk.range.start.line + 1,
          type = "I",
          text = whole and ("the file, as a whole (%sd)"):format(file.operation) or ("change " .. size(hunk)),
          user_data = { review = shown.id, hunk = hunk.id },
        })
      end
    end
  end
  table.sort(found, function(one, other)
    if one.filename ~= other.filename then
      return one.filename < other.filename
    end
    return one.lnum < other.lnum
  end)
  return found
end

--- Fill the quickfix list of the review again, keeping its place in the stack and the selected entry.
local function fill()
  local known = shown.list and vim.fn.getqflist({ id = shown.list, idx = 0 }) or { id = 0 }
  local title = ("Patchpoint review: %d open, %d kept, %d reverted"):format(shown.open, shown.kept, shown.back)
  local items = entries()
  if known.id == 0 then
    vim.fn.setqflist({}, " ", { title = title, items = items })
    shown.list = vim.fn.getqflist({ id = 0 }).id
  else
    local index = math.max(1, math.min(known.idx, #items))
    vim.fn.setqflist({}, "r", { id = known.id, title = title, items = items, idx = index })
  end
end

--- Take what the server says of a review: all of its files, or those that have changed.
local function receive(review)
  if shown.id ~= review.review then
    shown = { id = review.review, files = {} }
  end
  shown.kept, shown.back, shown.open = review.kept, review.takenBack, review.open
  for _, file in ipairs(review.files) do
    shown.files[file.uri] = #file.hunks > 0 and file or nil
  end
  vim.api.nvim_exec_autocmds("User", { pattern = "PatchpointReview", data = review })
end

--- Handle `patchpoint/didChangeReview`: a list that is shown follows.
function M.changed(_, review)
  if review.finished then
    shown = { files = {} }
    vim.api.nvim_exec_autocmds("User", { pattern = "PatchpointReview", data = review })
    return
  end
  receive(review)
  if shown.list then
    fill()
  end
end

--- Begin a review, or go on with it, and list the open changes in the quickfix list.
---@param since? string a checkpoint, by any of its names
function M.begin(since)
  server.call("reviewChanges", { since = since }, function(review, client)
    shown = { id = review.review, files = {}, list = shown.id == review.review and shown.list or nil }
    receive(review)
    fill()
    if review.open == 0 then
      local message = "nothing left to review: kept %d, reverted %d"
      server.notify(message:format(review.kept, review.takenBack), nil, client)
    else
      vim.cmd.copen()
    end
  end)
end

--- Return the change at the cursor: of the quickfix list in its window, else of the buffer.
local function at_cursor()
  if vim.bo.buftype == "quickfix" then
    local entry = vim.fn.getqflist()[vim.fn.line(".")]
    return entry and type(entry.user_data) == "table" and entry.user_data.hunk or nil
  end
  local file = shown.files[vim.uri_from_bufnr(0)]
  local line, bottom = vim.fn.line(".") - 1, vim.api.nvim_buf_line_count(0) - 1
  for _, hunk in ipairs(file and file.hunks or {}) do
    local range = hunk.range
    if range == nil or range == vim.NIL then
      return hunk.id
    end
    -- What was deleted at the end of a file is on no line that a cursor can reach.
    local first = math.min(range.start.line, bottom)
    local last = math.max(first, range["end"].line - (range["end"].character == 0 and 1 or 0))
    if first <= line and line <= last then
      return hunk.id
    end
  end
end

--- Decide about the change at the cursor.
---@param decision "keep"|"takeBack"|"open"
---@param reason? string why, for the summary
function M.decide(decision, reason)
  local hunk = at_cursor()
  if not (shown.id and hunk) then
    local message = "no change of a review at the cursor; :Patchpoint review lists them"
    server.notify(message, vim.log.levels.WARN, server.client())
    return
  end
  local arguments = { review = shown.id, hunk = hunk, decision = decision, reason = reason }
  server.call("reviewHunk", arguments, function()
    if decision == "takeBack" then
      vim.cmd.checktime()
    end
  end)
end

--- Go to the next change that nobody has decided about, in this buffer or another.
function M.next()
  local arguments = { uri = vim.uri_from_bufnr(0), line = vim.fn.line(".") - 1 }
  if vim.bo.buftype ~= "" then
    arguments = {}
  end
  server.call("nextChange", arguments, function(place, client)
    if place.uri == nil or place.uri == vim.NIL then
      server.notify("no changes left to review", nil, client)
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
  server.call("finishReview", { review = shown.id }, function(answer, client)
    vim.fn.setreg(register or "+", answer.summary)
    local message = "kept %d, reverted %d, undecided %d; summary copied; paste it into the chat"
    server.notify(message:format(answer.kept, answer.takenBack, answer.open), nil, client)
  end)
end

--- End the review, and put the summary for the model into a register. Where files of it are not saved, ask first.
---@param register? string
function M.finish(register)
  if not shown.id then
    local message = "no review here; :Patchpoint review starts one"
    server.notify(message, vim.log.levels.WARN, server.client())
    return
  end
  server.call("finishReview", { review = shown.id, dryRun = true }, function(answer)
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

local verbs = {
  keep = function()
    M.decide("keep")
  end,
  ["take-back"] = function(words)
    M.decide("takeBack", #words > 0 and table.concat(words, " ") or nil)
  end,
  open = function()
    M.decide("open")
  end,
  next = function()
    M.next()
  end,
  finish = function(words)
    M.finish(words[1])
  end,
}

--- Run `:Patchpoint review [keep|take-back REASON|open|next|finish REGISTER|CHECKPOINT]`.
function M.run(_, words)
  local verb = verbs[words[1]]
  if verb then
    verb(vim.list_slice(words, 2))
  else
    M.begin(words[1])
  end
end

return M
