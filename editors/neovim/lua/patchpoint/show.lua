--- What a person is shown: differences, lists of places, and times.
local changes = require("patchpoint.changes")
local server = require("patchpoint.server")

local M = {}

--- Return a unified diff the other way round.
---@param diff string
---@return string
function M.reversed(diff)
  local removed, added, lines = {}, {}, {}
  local function flush()
    vim.list_extend(lines, removed)
    vim.list_extend(lines, added)
    removed, added = {}, {}
  end
  local from = nil
  for _, line in ipairs(vim.split((diff:gsub("\n$", "")), "\n")) do
    local old, new, rest = line:match("^@@ %-(%S+) %+(%S+) @@(.*)$")
    if old then
      flush()
      from = nil
      table.insert(lines, ("@@ -%s +%s @@%s"):format(new, old, rest))
    elseif line:match("^%-%-%- ") and from == nil then
      from = line:sub(5)
    elseif from and line:match("^%+%+%+ ") then
      table.insert(lines, "--- " .. line:sub(5))
      table.insert(lines, "+++ " .. from)
      from = nil
    elseif line:sub(1, 1) == "-" then
      table.insert(added, "+" .. line:sub(2))
    elseif line:sub(1, 1) == "+" then
      table.insert(removed, "-" .. line:sub(2))
    elseif line:sub(1, 1) == "\\" then
      -- It belongs to the line before it, whichever way that went.
      local last = #added > 0 and #removed == 0 and added or #removed > 0 and removed or lines
      table.insert(last, line)
    else
      flush()
      table.insert(lines, line)
    end
  end
  flush()
  return table.concat(lines, "\n") .. "\n"
end

--- Return the lines of unified diffs, one after the other.
---@param diffs string[]
---@return string[]
function M.lines_of(diffs)
  local lines = {}
  for _, diff in ipairs(diffs) do
    vim.list_extend(lines, vim.split((diff:gsub("\n$", "")), "\n"))
  end
  return lines
end

--- Show unified diffs in a new scratch window; return whether there were any.
---@param title string
---@param diffs string[]
---@param client vim.lsp.Client
---@return boolean
function M.diff(title, diffs, client)
  local lines = M.lines_of(diffs)
  if #lines == 0 then
    server.notify("no differences", nil, client)
    return false
  end
  vim.cmd.new()
  local buffer = vim.api.nvim_get_current_buf()
  vim.b[buffer].patchpoint_client = client.id
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].swapfile = false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].filetype = "diff"
  vim.bo[buffer].modifiable = false
  pcall(vim.api.nvim_buf_set_name, buffer, "patchpoint://" .. title)
  vim.cmd.redraw()
  return true
end

--- Show a file as it was, to the left of the file as it is, in a tab page of their own.
---@param path string
---@param original string the URI of a document with the file as it was
---@param client vim.lsp.Client
function M.side_by_side(path, original, client)
  vim.cmd.tabedit({ args = { vim.fn.fnameescape(path) } })
  vim.cmd.diffthis()
  vim.cmd("leftabove vertical sview " .. vim.fn.fnameescape(vim.uri_to_fname(original)))
  vim.b.patchpoint_client = client.id
  vim.bo.bufhidden = "wipe"
  vim.cmd.diffthis()
  vim.cmd.wincmd("p")
end

--- Return a moment in the person's own time, and how long ago it was.
---@param iso string in ISO 8601 and UTC
---@return string
function M.when(iso)
  local year, month, day, hour, minute, second = iso:match("(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)")
  local fields = { year = year, month = month, day = day, hour = hour, min = minute, sec = second, isdst = false }
  local as_local = os.time(fields)
  local offset = os.difftime(as_local, os.time(os.date("!*t", as_local)))
  local moment = as_local + offset
  local age = math.max(0, os.difftime(os.time(), moment))
  local ago = "just now"
  for _, unit in ipairs({ { 86400, "day" }, { 3600, "hour" }, { 60, "minute" } }) do
    if age >= unit[1] then
      local count = math.floor(age / unit[1])
      ago = ("%d %s%s ago"):format(count, unit[2], count == 1 and "" or "s")
      break
    end
  end
  return os.date("%Y-%m-%d %H:%M", moment) .. " (" .. ago .. ")"
end

--- Return what tells a place of an edit from the others: its number, the definition that it is in, how similar it is.
---@param number integer from 1
---@param candidate patchpoint.Candidate
---@return string
function M.place_name(number, candidate)
  local similar = ("%d %% similar"):format(math.floor(candidate.similarity * 100))
  if candidate.where ~= "" then
    similar = candidate.similarity < 1 and candidate.where .. ", " .. similar or candidate.where
  end
  return ("candidate %d (%s)"):format(number, similar)
end

--- Return edits as changes to be shown, one for each place where one could go.
---@param edits patchpoint.Outcome[]
---@return patchpoint.ShownChange[]
function M.places(edits)
  local found = {}
  for _, edit in ipairs(edits) do
    local proposal = edit.proposal ~= vim.NIL and edit.proposal or nil
    local places = #edit.candidates > 0 and edit.candidates or { proposal or { range = edit.range } }
    for number, place in ipairs(places) do
      local candidate = #edit.candidates > 0 and number or nil
      local range = place.range ~= vim.NIL and place.range or nil
      local name = candidate and M.place_name(number, place) .. ": " or ""
      table.insert(found, {
        id = edit.id .. ":" .. number,
        uri = edit.uri,
        row = range and range.start.line,
        size = changes.size(range),
        diff = proposal and proposal.diff or "",
        where = "",
        decision = "open",
        type = edit.status == "held" and "I" or edit.status == "ambiguous" and "W" or "E",
        text = ("edit %d, %s%s"):format(edit.index + 1, name, vim.split(edit.message, "\n")[1]),
        edit = edit.id,
        candidate = candidate,
        range = range,
        proposal = proposal and proposal.id,
      })
    end
  end
  return found
end

--- Put edits that were refused into the quickfix list, each at its places; return how many there are.
---@param edits patchpoint.Outcome[]
---@param title string
---@return integer
function M.quickfix(edits, title)
  local items = changes.items(M.places(edits), "pending")
  vim.fn.setqflist({}, " ", { title = title, items = items })
  return #items
end

return M
