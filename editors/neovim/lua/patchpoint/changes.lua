--- The changes that a person decides about, with one list, one picture and one set of keys: those of a review, those that
--- a preview shows, and the edits that wait.
local hunks = require("patchpoint.hunks")
local server = require("patchpoint.server")

local M = {}

---@class patchpoint.ShownChange
---@field id string
---@field uri string
---@field row integer? from 0, in the buffer; nil of a file as a whole
---@field size integer lines of it in the buffer
---@field diff string
---@field where string in which definition it is, as "in Cart > total", or ""
---@field risk? string what is lost most easily by it
---@field decision "open"|"keep"|"drop"
---@field text? string what lists say of it, where that is not its difference
---@field type? string of its entry in lists

---@class patchpoint.Changes
---@field purpose "review"|"preview"|"pending"
---@field side "old"|"new" which lines the buffers have
---@field title string of its list
---@field changes patchpoint.ShownChange[]
---@field decide fun(change: patchpoint.ShownChange, decision: string, reason?: string, on_done: fun())
---@field client vim.lsp.Client
---@field list? integer the id of its quickfix list

--- What is shown, by its purpose.
---@type table<string, patchpoint.Changes>
local shown = {}
--- The purpose that the person asked for last.
local newest
local is_hidden = false

--- In which order a change at the cursor is looked for.
local PURPOSES = { "preview", "pending", "review" }

--- Map `keys` in a buffer that has changes, once.
local function map_keys(buffer)
  if not M.keys or vim.b[buffer].patchpoint_keys then
    return
  end
  vim.b[buffer].patchpoint_keys = true
  for keys, name in pairs(M.keys) do
    local modes = (name == "keep" or name == "take-back") and { "n", "x" } or "n"
    vim.keymap.set(modes, keys, ("<Plug>(patchpoint-review-%s)"):format(name), { buffer = buffer, remap = true })
  end
end

local function is_seen(one)
  return one.decision == "open" or one.decision == "keep"
end

local function draw(buffer)
  if not vim.api.nvim_buf_is_loaded(buffer) or vim.bo[buffer].buftype ~= "" then
    return
  end
  local uri = vim.uri_from_bufnr(buffer)
  for _, purpose in ipairs(PURPOSES) do
    local set = shown[purpose]
    local own = vim.tbl_filter(function(one)
      return one.uri == uri and is_seen(one) and not is_hidden
    end, set and set.changes or {})
    hunks.draw(buffer, purpose, own, set and set.side or "new")
    if #own > 0 then
      map_keys(buffer)
    end
  end
end

--- Draw what is shown in every buffer again.
function M.redraw()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    draw(buffer)
  end
end

--- Go to a change in its file, in the current window.
local function visit(one)
  if one.uri ~= vim.uri_from_bufnr(0) then
    vim.cmd.edit(vim.fn.fnameescape(vim.uri_to_fname(one.uri)))
  end
  vim.api.nvim_win_set_cursor(0, { math.min((one.row or 0) + 1, vim.api.nvim_buf_line_count(0)), 0 })
  vim.cmd("normal! zv")
  draw(vim.api.nvim_get_current_buf())
end

--- Return the set and the change of an entry of the quickfix list, by its number; nil of an entry that has none.
local function listed(number)
  local entry = vim.fn.getqflist({ idx = number, items = 0 }).items[1]
  local data = entry and entry.user_data
  local set = type(data) == "table" and shown[data.purpose]
  for _, one in ipairs(set and set.changes or {}) do
    if one.id == data.change then
      return set, one
    end
  end
end

--- Show the change at the cursor in the quickfix list in its file, in the window that the person was in before.
local function look()
  local set, one = listed(vim.fn.line("."))
  local window = vim.fn.win_getid(vim.fn.winnr("#"))
  if set and one.uri ~= "" and window ~= 0 and vim.bo[vim.api.nvim_win_get_buf(window)].buftype == "" then
    vim.api.nvim_win_call(window, function()
      visit(one)
    end)
  end
end

local group = vim.api.nvim_create_augroup("patchpoint.changes", {})
vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "BufWinEnter" }, {
  group = group,
  callback = function(event)
    if vim.bo[event.buf].buftype == "quickfix" and listed(1) then
      map_keys(event.buf)
      vim.api.nvim_create_autocmd("CursorMoved", { group = group, buffer = event.buf, callback = look })
    elseif next(shown) then
      draw(event.buf)
    end
  end,
})

local function is_before(one, other)
  if one.uri ~= other.uri then
    return vim.uri_to_fname(one.uri) < vim.uri_to_fname(other.uri)
  end
  return (one.row or 0) < (other.row or 0)
end

--- Return how many lines a range of the protocol has.
---@param range? patchpoint.Place
---@return integer
function M.size(range)
  return range and range["end"].line - range.start.line + (range["end"].character > 0 and 1 or 0) or 0
end

--- Put changes into the order of their files and lines, those of files that no longer parse first.
---@param found patchpoint.ShownChange[]
function M.sort(found)
  local broken = {}
  for _, one in ipairs(found) do
    broken[one.uri] = broken[one.uri] or one.risk == "unparsable"
  end
  table.sort(found, function(one, other)
    if broken[one.uri] ~= broken[other.uri] then
      return broken[one.uri]
    end
    return is_before(one, other)
  end)
  return found
end

--- Return changes as entries of a quickfix list.
---@param found patchpoint.ShownChange[]
---@param purpose string
---@return table[]
function M.items(found, purpose)
  return vim.tbl_map(function(one)
    return {
      filename = one.uri ~= "" and vim.uri_to_fname(one.uri) or nil,
      lnum = (one.row or 0) + 1,
      end_lnum = one.row and one.row + math.max(one.size, 1) or nil,
      type = one.type or one.risk == "unparsable" and "W" or "I",
      text = (one.decision == "drop" and "dropped: " or "") .. (one.text or hunks.in_a_line(one)),
      user_data = { purpose = purpose, change = one.id },
    }
  end, found)
end

--- Fill the quickfix list of some changes, keeping its place in the stack and the selected entry.
local function fill(set)
  local known = set.list and vim.fn.getqflist({ id = set.list, idx = 0 }) or { id = 0 }
  local items = M.items(set.changes, set.purpose)
  if known.id == 0 then
    vim.fn.setqflist({}, " ", { title = set.title, items = items })
    set.list = vim.fn.getqflist({ id = 0 }).id
  else
    local index = math.max(1, math.min(known.idx, #items))
    vim.fn.setqflist({}, "r", { id = known.id, title = set.title, items = items, idx = index })
  end
  if vim.bo.buftype == "quickfix" then
    look()
  end
end

--- Show these changes in their files, in place of those that were shown for the same purpose.
---@param set patchpoint.Changes
---@param with_list? boolean put them into the quickfix list, too; one that there is follows in any case
function M.show(set, with_list)
  local before = shown[set.purpose]
  set.list = before and before.list
  shown[set.purpose] = set
  newest = (with_list or not newest) and set.purpose or newest
  is_hidden = is_hidden and not with_list
  M.redraw()
  if with_list or set.list then
    fill(set)
  end
end

--- Show what had this purpose no longer. Its quickfix list stays, for `:colder`.
---@param purpose string
function M.forget(purpose)
  shown[purpose] = nil
  newest = newest ~= purpose and newest or next(shown)
  M.redraw()
end

--- Hide what is drawn, or show it again.
function M.toggle()
  is_hidden = not is_hidden
  M.redraw()
end

---@param purpose string
---@return patchpoint.Changes?
function M.of(purpose)
  return shown[purpose]
end

--- Return the changes in some lines, from 1: of the quickfix list in its window, else of the buffer.
local function at(first, last)
  local found = {}
  if vim.bo.buftype == "quickfix" then
    for number = first, last do
      local set, one = listed(number)
      table.insert(found, set and { set = set, change = one })
    end
    return found
  end
  local uri, bottom = vim.uri_from_bufnr(0), vim.api.nvim_buf_line_count(0)
  for _, purpose in ipairs(PURPOSES) do
    local set = shown[purpose]
    for _, one in ipairs(set and set.changes or {}) do
      -- What was deleted at the end of a file is on no line that a cursor can reach.
      local from = math.min((one.row or 0) + 1, bottom)
      local to = one.row and math.max(from, one.row + one.size) or bottom
      if one.uri == uri and from <= last and first <= to then
        table.insert(found, { set = set, change = one })
      end
    end
    if #found > 0 then
      break
    end
  end
  return found
end

--- Decide about the changes in some lines, one after the other; in a file, go on to the next one.
---@param decision "keep"|"drop"|"open" to drop a change of a review is to revert it
---@param first? integer the line of the cursor by default
---@param last? integer
---@param reason? string why, for the summary
function M.decide(decision, first, last, reason)
  local found = at(first or vim.fn.line("."), last or first or vim.fn.line("."))
  local here = vim.api.nvim_get_current_buf()
  local function step(number)
    local one = found[number]
    if one then
      one.set.decide(one.change, decision, reason, function()
        step(number + 1)
      end)
    elseif number > 1 and decision ~= "open" and vim.bo.buftype == "" and here == vim.api.nvim_get_current_buf() then
      M.go(1) -- unless the person has gone elsewhere by now
    end
  end
  if #found == 0 then
    local message = "no change of a review at the cursor; :Patchpoint review lists them"
    server.notify(message, vim.log.levels.WARN, server.client())
  end
  step(1)
end

--- Return the keys of an operator that decides about the lines it is given, or that of the cursor; `.` repeats it.
---@param decision string
---@return string
function M.operator(decision)
  M.operated = function()
    M.decide(decision, vim.fn.line("'["), vim.fn.line("']"))
  end
  vim.go.operatorfunc = "v:lua.require'patchpoint.changes'.operated"
  return vim.fn.mode() == "n" and "g@l" or "g@"
end

--- Go to the next change that nobody has decided about, in this buffer or another, or with -1 to the one before.
---@param step 1|-1
function M.go(step)
  local set = newest and shown[newest]
  local waiting = vim.tbl_filter(function(one)
    return is_seen(one) and one.uri ~= ""
  end, set and set.changes or {})
  table.sort(waiting, is_before)
  if #waiting == 0 then
    server.notify("no changes left to review", nil, set and set.client or server.client())
    return
  end
  if vim.bo.buftype == "quickfix" then
    vim.cmd.wincmd("p")
  end
  local bottom = vim.api.nvim_buf_line_count(0) - 1
  local here = { uri = vim.uri_from_bufnr(0), row = vim.fn.line(".") - 1 }
  local target
  for number = step == 1 and 1 or #waiting, step == 1 and #waiting or 1, step do
    local one = waiting[number]
    local place = { uri = one.uri, row = one.uri == here.uri and math.min(one.row or 0, bottom) or one.row }
    if (step == 1 and is_before(here, place)) or (step == -1 and is_before(place, here)) then
      target = one
      break
    end
  end
  target = target or waiting[step == 1 and 1 or #waiting]
  vim.cmd("normal! m'")
  visit(target)
end

return M
