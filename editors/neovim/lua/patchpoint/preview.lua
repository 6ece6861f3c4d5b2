--- What an answer would change, shown in its files before it is written; and the edits that wait, at their places.
local changes = require("patchpoint.changes")
local server = require("patchpoint.server")
local show = require("patchpoint.show")

local M = {}

--- Return the hunks of a plan as changes to be shown.
---@param files table[] of a dry run, or of a preview as a review
---@return patchpoint.ShownChange[]
local function planned(files)
  local found = {}
  for _, file in ipairs(files) do
    for _, hunk in ipairs(file.hunks) do
      local range = hunk.oldRange or hunk.range
      range = range ~= vim.NIL and range or nil
      table.insert(found, {
        id = hunk.id,
        uri = file.oldUri and file.oldUri ~= vim.NIL and file.oldUri or file.uri,
        row = range and range.start.line,
        size = changes.size(range),
        diff = hunk.diff,
        where = hunk.where,
        risk = hunk.risk,
        decision = hunk.decision == "keep" and "open" or "drop",
      })
    end
  end
  return changes.sort(found)
end

--- Prints the buffer that has the preview as one difference again; nothing where there is none.
local print_difference = function() end

--- Show a preview that the server has: the edits that fit in their files, and all of them in the quickfix list.
local function show_preview(id, files, refused, client)
  local set = { purpose = "preview", side = "old", client = client, id = id }
  local found = planned(files)
  local dropped = vim.tbl_filter(function(one)
    return one.decision == "drop"
  end, found)
  set.title = ("Patchpoint preview: %d to apply, %d dropped"):format(#found - #dropped, #dropped)
  set.changes = vim.list_extend(found, refused)
  function set.decide(change, decision, _, on_done)
    if change.type then
      on_done()
      return
    end
    local wanted = decision == "drop" and "open" or "keep"
    server.call("reviewHunk", { review = id, hunk = change.id, decision = wanted }, function()
      server.call("reviewChanges", { review = id }, function(answer)
        show_preview(id, answer.files, refused, client)
        on_done()
      end)
    end)
  end
  changes.show(set, true)
  print_difference()
end

--- Show what the edits of an answer would change.
---@param answer patchpoint.Result of a dry run
---@param refused table[] entries for the quickfix list
---@param client vim.lsp.Client
function M.open(answer, refused, client)
  changes.forget("preview")
  show_preview(answer.preview, answer.files, refused, client)
  changes.go(1)
end

--- Print the changes of the preview into a buffer; return which change each of its lines is of.
local function print_changes(buffer)
  local set = changes.of("preview") or { changes = {}, title = "" }
  local lines, rows = { "# " .. set.title .. "; d drops a change or keeps it again, :w applies the rest" }, {}
  for _, one in ipairs(set.changes) do
    local path = one.uri ~= "" and vim.fn.fnamemodify(vim.uri_to_fname(one.uri), ":.") or ""
    local where = one.row and (", line %d"):format(one.row + 1) or ""
    local head = { "", "# " .. (one.decision == "drop" and "dropped: " or "") .. path .. where }
    local body = one.text and { "# " .. one.text }
      or one.decision == "drop" and {}
      or vim.split(vim.trim(one.diff), "\n")
    for _, line in ipairs(vim.list_extend(head, body)) do
      table.insert(lines, line)
      rows[#lines] = one
    end
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = true
  return rows
end

--- Show the preview as one difference: `d` drops the change at the cursor, or keeps it again, and `:w` applies the rest.
---@param report fun(answer: patchpoint.Result, client: vim.lsp.Client)
function M.difference(report)
  if not changes.of("preview") then
    server.notify("no preview here; :Patchpoint preview shows one", vim.log.levels.WARN, server.client())
    return
  end
  vim.cmd.new()
  local buffer = vim.api.nvim_get_current_buf()
  pcall(vim.api.nvim_buf_set_name, buffer, "patchpoint://preview")
  vim.bo[buffer].buftype, vim.bo[buffer].bufhidden, vim.bo[buffer].swapfile = "acwrite", "wipe", false
  vim.bo[buffer].filetype = "diff"
  local rows = print_changes(buffer)
  print_difference = function()
    if vim.api.nvim_buf_is_loaded(buffer) then
      rows = print_changes(buffer)
    end
  end
  vim.keymap.set("n", "d", function()
    local one, set = rows[vim.fn.line(".")], changes.of("preview")
    if one and set then
      set.decide(one, one.decision == "drop" and "keep" or "drop", nil, function() end)
    end
  end, { buffer = buffer, nowait = true, desc = "Patchpoint: drop this change, or keep it again" })
  vim.api.nvim_create_autocmd("BufWriteCmd", {
    buffer = buffer,
    callback = function()
      M.apply(function(answer, client)
        vim.bo[buffer].modified = false
        vim.api.nvim_buf_delete(buffer, {})
        report(answer, client)
      end)
    end,
  })
end

--- Apply what is kept of the preview that is shown; where that would change something else by now, show it again.
---@param report fun(answer: patchpoint.Result, client: vim.lsp.Client)
function M.apply(report)
  local set = changes.of("preview")
  if not set then
    server.notify("no preview here; :Patchpoint preview shows one", vim.log.levels.WARN, server.client())
    return
  end
  server.call("finishReview", { review = set.id }, function(answer, client)
    changes.forget("preview")
    report(answer.result, client)
  end, {
    ["preview-outdated"] = function()
      server.call("reviewChanges", { review = set.id }, function(answer, client)
        show_preview(set.id, answer.files, {}, client)
      end)
    end,
  })
end

--- Return what asks what an edit would change at one of its candidates; with `previewed`, so that it can be applied.
local function at_candidate(change, previewed)
  local place = { edit = change.edit, candidate = change.candidate, range = change.range }
  return vim.tbl_extend("force", place, { dryRun = true, previewed = previewed })
end

--- Show what an edit would change at a candidate; return whether that is what was shown already.
local function plan_shown(change, answer)
  local before, diff = change.diff, ""
  for _, hunk in ipairs(planned(answer.files)) do
    change.row, change.size, diff = hunk.row, hunk.size, diff .. hunk.diff
  end
  change.diff = diff
  return diff == before
end

--- Show edits that wait in their files: as they are proposed, and at each of their candidates.
---@param edits patchpoint.Outcome[]
---@param client vim.lsp.Client
function M.wait(edits, client)
  local found = show.places(edits)
  local set =
    { purpose = "pending", side = "old", title = "Patchpoint: pending edits", changes = found, client = client }
  function set.decide(change, decision, _, on_done)
    local function done()
      vim.cmd.checktime()
      on_done()
    end
    if decision == "drop" then
      server.call("discardEdit", { edit = change.edit }, done)
    elseif decision == "keep" and change.proposal then
      server.call("acceptProposal", { proposal = change.proposal }, done)
    elseif decision == "keep" and change.candidate then
      server.call("resolveEdit", at_candidate(change, true), function(answer)
        local id = answer.preview ~= vim.NIL and answer.preview
        if not id then
          done()
        elseif plan_shown(change, answer) then
          server.call("finishReview", { review = id }, done)
        else
          changes.redraw()
          server.notify(
            "that changes something else by now: look at it, and keep it again",
            vim.log.levels.WARN,
            client
          )
        end
      end)
    end
  end
  changes.show(set, true)
  -- What an edit would change at a candidate is planned by the server, one candidate after the other.
  local function plan(number)
    local one = found[number]
    if not one or changes.of("pending") ~= set then
      return
    end
    if not one.candidate then
      plan(number + 1)
      return
    end
    server.request("resolveEdit", at_candidate(one, false), function(_, answer)
      if answer then
        plan_shown(one, answer)
      end
      changes.redraw()
      plan(number + 1)
    end)
  end
  plan(1)
end

return M
