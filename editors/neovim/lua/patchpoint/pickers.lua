--- Lists to pick from, in the picker that a person uses, with a preview of what is picked.
local M = {}

--- The picker of `setup`: "snacks", "telescope" or "fzf-lua"; nil is `vim.ui.select`, which has no preview.
---@type string?
M.picker = nil

---@class patchpoint.List
---@field prompt string
---@field kind string what the items are, for whoever replaces `vim.ui.select`
---@field name fun(item: any): string
---@field preview? fun(item: any, show: fun(lines: string[])) calls `show` with the lines of a unified diff, now or later

--- Fill a buffer that may be gone meanwhile.
local function fill(buffer, lines)
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.bo[buffer].modifiable = true
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
    vim.bo[buffer].filetype = "diff"
  end
end

local with = {}

function with.snacks(items, list, on_choice)
  local rows = {}
  for index, item in ipairs(items) do
    table.insert(rows, { text = list.name(item), index = index })
  end
  require("snacks").picker.pick({
    title = list.prompt,
    items = rows,
    format = "text",
    preview = function(context)
      context.preview:reset()
      list.preview(items[context.item.index], function(lines)
        if context.preview.item == context.item then
          context.preview:set_lines(lines)
          context.preview:highlight({ ft = "diff" })
        end
      end)
    end,
    confirm = function(picker, row)
      picker:close()
      if row then
        vim.schedule(function()
          on_choice(items[row.index])
        end)
      end
    end,
  })
end

function with.telescope(items, list, on_choice)
  local actions = require("telescope.actions")
  local finder = require("telescope.finders").new_table({
    results = items,
    entry_maker = function(item)
      local name = list.name(item)
      return { value = item, display = name, ordinal = name }
    end,
  })
  local previewer = require("telescope.previewers").new_buffer_previewer({
    title = "What it changes",
    define_preview = function(self, entry)
      local buffer = self.state.bufnr
      list.preview(entry.value, function(lines)
        fill(buffer, lines)
      end)
    end,
  })
  require("telescope.pickers")
    .new({}, {
      prompt_title = list.prompt,
      finder = finder,
      sorter = require("telescope.config").values.generic_sorter({}),
      previewer = previewer,
      attach_mappings = function(prompt)
        actions.select_default:replace(function()
          local entry = require("telescope.actions.state").get_selected_entry()
          actions.close(prompt)
          if entry then
            on_choice(entry.value)
          end
        end)
        return true
      end,
    })
    :find()
end

with["fzf-lua"] = function(items, list, on_choice)
  local function item_of(line)
    return items[tonumber((line or ""):match("^%d+"))]
  end
  local previewer = require("fzf-lua.previewer.builtin").base:extend()
  function previewer:new(...)
    previewer.super.new(self, ...)
    return setmetatable(self, previewer)
  end
  function previewer:populate_preview_buf(line)
    local buffer = self:get_tmp_buffer()
    self:set_preview_buf(buffer)
    local item = item_of(line)
    if item then
      list.preview(item, function(lines)
        fill(buffer, lines)
      end)
    end
  end
  local lines = {}
  for index, item in ipairs(items) do
    table.insert(lines, ("%d. %s"):format(index, list.name(item)))
  end
  require("fzf-lua").fzf_exec(lines, {
    prompt = list.prompt .. "> ",
    previewer = previewer,
    actions = {
      default = function(selected)
        local item = item_of(selected[1])
        if item then
          on_choice(item)
        end
      end,
    },
  })
end

--- Let the person pick one of `items`; nothing is called where there are none, or where none is picked.
---@param items any[]
---@param list patchpoint.List
---@param on_choice fun(item: any)
function M.pick(items, list, on_choice)
  if #items == 0 then
    return
  end
  if list.preview and M.picker then
    with[M.picker](items, list, on_choice)
    return
  end
  local options = { prompt = list.prompt, kind = "patchpoint_" .. list.kind, format_item = list.name }
  vim.ui.select(items, options, function(item)
    if item then
      on_choice(item)
    end
  end)
end

--- Use a picker. Raises an error for one that is not known.
---@param name string
function M.use(name)
  assert(with[name], ("Patchpoint knows no picker '%s'; it knows snacks, telescope and fzf-lua"):format(name))
  M.picker = name
end

return M
