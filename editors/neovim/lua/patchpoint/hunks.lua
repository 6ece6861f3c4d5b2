--- How changes are drawn in their file: the lines that the buffer has are highlighted, those that it does not have are
--- virtual, the old ones above the new ones; the words that differ stand out.
local M = {}

local difference = vim.text and vim.text.diff or vim.diff

--- Above the highlights of the syntax, and below those of diagnostics.
local PRIORITY = 140
--- Lines of a change in whose lines the words that differ are looked for.
local MOST_LINES = 400
--- The part of the letters of both sides that they have to share: else words that happen to be the same are noise.
local LEAST_SHARED = 0.4

for name, link in pairs({
  PatchpointAdd = "DiffAdd",
  PatchpointDelete = "DiffDelete",
  PatchpointAddWord = "DiffText",
  PatchpointDeleteWord = "DiffText",
}) do
  vim.api.nvim_set_hl(0, name, { link = link, default = true })
end

---@class patchpoint.Block
---@field old string[] lines that are gone, or would be
---@field new string[] the lines in their place
---@field old_row integer from 0, in the text with the old lines
---@field new_row integer from 0, in the text with the new lines

--- Return the blocks of changed lines of a unified diff.
---@param diff string
---@return patchpoint.Block[]
function M.blocks(diff)
  local blocks, block, old_row, new_row = {}, nil, nil, 0
  for _, line in ipairs(vim.split(diff, "\n")) do
    local sign = line:sub(1, 1)
    local old, old_size, new, new_size = line:match("^@@ %-(%d+),?(%d*) %+(%d+),?(%d*) @@")
    if old then
      -- A range without lines is named by the line before it.
      old_row, new_row, block = old - (old_size == "0" and 0 or 1), new - (new_size == "0" and 0 or 1), nil
    elseif sign == " " and old_row then
      old_row, new_row, block = old_row + 1, new_row + 1, nil
    elseif (sign == "-" or sign == "+") and old_row then
      if not block then
        block = { old = {}, new = {}, old_row = old_row, new_row = new_row }
        table.insert(blocks, block)
      end
      table.insert(sign == "-" and block.old or block.new, (line:sub(2):gsub("\r$", "")))
      old_row, new_row = old_row + (sign == "-" and 1 or 0), new_row + (sign == "+" and 1 or 0)
    elseif sign == "d" then
      old_row = nil
    end
  end
  return blocks
end

--- Return the words of some lines, and where each of them is: its line, and its first and last column, exclusive.
local function words_of(lines)
  local words, places = {}, {}
  for number, line in ipairs(lines) do
    local at = 1
    while at <= #line do
      local word = line:match("^[%w_\128-\255]+", at) or line:match("^%s+", at) or line:sub(at, at)
      table.insert(words, word)
      table.insert(places, { number, at - 1, at - 1 + #word })
      at = at + #word
    end
    table.insert(words, "")
    table.insert(places, { number, #line, #line })
  end
  return words, places
end

--- Return the parts of each old line and of each new line that the other side does not have.
---@param block patchpoint.Block
---@return table<integer, integer[][]> old
---@return table<integer, integer[][]> new
function M.changed_words(block)
  local found = { {}, {} }
  if #block.old == 0 or #block.new == 0 or #block.old + #block.new > MOST_LINES then
    return found[1], found[2]
  end
  local sides = { { words_of(block.old) }, { words_of(block.new) } }
  local total, changed = { 0, 0 }, { 0, 0 }
  for side, one in ipairs(sides) do
    for _, word in ipairs(one[1]) do
      total[side] = total[side] + #vim.trim(word)
    end
  end
  local texts = vim.tbl_map(function(one)
    return table.concat(one[1], "\n") .. "\n"
  end, sides)
  for _, part in ipairs(difference(texts[1], texts[2], { result_type = "indices" })) do
    for side, range in ipairs({ { part[1], part[2] }, { part[3], part[4] } }) do
      for at = range[1], range[1] + range[2] - 1 do
        local number, from, to = unpack(sides[side][2][at])
        local spans = found[side][number] or {}
        found[side][number] = spans
        if #spans > 0 and spans[#spans][2] == from then
          spans[#spans][2] = to
        else
          table.insert(spans, { from, to })
        end
        changed[side] = changed[side] + #vim.trim(sides[side][1][at])
      end
    end
  end
  if total[1] - changed[1] < LEAST_SHARED * math.max(total[1], total[2]) then
    return {}, {}
  end
  return found[1], found[2]
end

--- Return a line as the pieces of a virtual one, as wide as the screen, with its tabs as spaces.
local function virtual_line(line, spans, group, tabstop)
  local pieces, width, at = {}, 0, 0
  local function add(text, name)
    text = text:gsub("([^\t]*)(\t?)", function(run, tab)
      width = width + vim.fn.strdisplaywidth(run)
      local spaces = tab ~= "" and tabstop - width % tabstop or 0
      width = width + spaces
      return run .. (" "):rep(spaces)
    end)
    table.insert(pieces, { text, name })
  end
  for _, span in ipairs(spans or {}) do
    add(line:sub(at + 1, span[1]), group)
    add(line:sub(span[1] + 1, span[2]), group .. "Word")
    at = span[2]
  end
  add(line:sub(at + 1), group)
  add((" "):rep(math.max(0, vim.o.columns - width)), group)
  return pieces
end

local function draw_block(buffer, space, block, row, side)
  local old_words, new_words = M.changed_words(block)
  local here = { lines = block.new, words = new_words, group = "PatchpointAdd" }
  local there = { lines = block.old, words = old_words, group = "PatchpointDelete" }
  if side == "old" then
    here, there = there, here
  end
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  local function mark(at, column, options)
    options.strict = false
    vim.api.nvim_buf_set_extmark(buffer, space, math.min(at, last), column, options)
  end
  for number in ipairs(here.lines) do
    local at = row + number - 1
    mark(at, 0, { end_row = at + 1, hl_group = here.group, hl_eol = true, priority = PRIORITY })
    for _, span in ipairs(here.words[number] or {}) do
      mark(at, span[1], { end_col = span[2], hl_group = here.group .. "Word", priority = PRIORITY + 1 })
    end
  end
  if #there.lines == 0 then
    return
  end
  local tabstop, lines = vim.bo[buffer].tabstop, {}
  for number, line in ipairs(there.lines) do
    table.insert(lines, virtual_line(line, there.words[number], there.group, tabstop))
  end
  local is_below = row > last or (side == "old" and #here.lines > 0)
  mark(is_below and row + #here.lines - 1 or row, 0, { virt_lines = lines, virt_lines_above = not is_below })
  if not is_below and row == 0 then
    -- What is above the first line is seen only where the window is scrolled to it, once it shows the buffer.
    vim.schedule(function()
      for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
        vim.api.nvim_win_call(window, function()
          if vim.fn.line("w0") == 1 then
            vim.fn.winrestview({ topline = 1, topfill = #lines })
          end
        end)
      end
    end)
  end
end

--- Draw changes in a buffer, in place of those that were drawn there for the same purpose.
---@param buffer integer
---@param purpose string such as "review"
---@param changes patchpoint.ShownChange[]
---@param side "old"|"new" which lines the buffer has
function M.draw(buffer, purpose, changes, side)
  local space = vim.api.nvim_create_namespace("patchpoint." .. purpose)
  vim.api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  for _, change in ipairs(changes) do
    for _, block in ipairs(M.blocks(change.diff)) do
      draw_block(buffer, space, block, change.row or (side == "new" and block.new_row or block.old_row), side)
    end
  end
end

--- Return a change in a line: where it is, how many lines it removes and adds, and the first of them.
---@param change patchpoint.ShownChange
---@return string
function M.in_a_line(change)
  local removed, added, first = 0, 0, nil
  for _, block in ipairs(M.blocks(change.diff)) do
    removed, added = removed + #block.old, added + #block.new
    first = first or (#block.new > 0 and "+ " .. vim.trim(block.new[1])) or "- " .. vim.trim(block.old[1])
  end
  local where = change.where ~= "" and change.where .. ", " or ""
  where = change.risk == "unparsable" and "no longer parses, " .. where or where
  return ("%s-%d +%d: %s"):format(where, removed, added, first or "")
end

return M
