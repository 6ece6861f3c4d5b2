-- Checkpoints are picked in snacks, telescope and fzf-lua, of each of which this has what its help says of lists of one's own.
local act = require("acting")
local seen = { answered = 0 }

vim.notify = function() end
vim.ui.select = function(items, _, on_choice)
  seen.answered = seen.answered + 1
  on_choice(items[1], 1)
end

--- Wait for the lines of a buffer that is previewed, and return them.
local function shown_in(buffer)
  act.wait("a preview", function()
    return vim.bo[buffer].filetype == "diff"
  end)
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

package.loaded["snacks"] = {
  picker = {
    pick = function(options)
      local row, preview = options.items[1], {}
      preview = {
        item = row,
        reset = function() end,
        set_lines = function(_, lines)
          preview.lines = lines
        end,
        highlight = function(_, how)
          preview.highlighted = how.ft
        end,
      }
      options.preview({ item = row, preview = preview })
      act.wait("a preview", function()
        return preview.highlighted == "diff"
      end)
      seen.snacks = { title = options.title, row = row.text, lines = preview.lines }
      options.confirm({ close = function() end }, row)
    end,
  },
}

local entry, replaced
package.loaded["telescope.finders"] = {
  new_table = function(options)
    return vim.tbl_map(options.entry_maker, options.results)
  end,
}
package.loaded["telescope.previewers"] = {
  new_buffer_previewer = function(options)
    return options
  end,
}
package.loaded["telescope.config"] = { values = { generic_sorter = function() end } }
package.loaded["telescope.actions.state"] = {
  get_selected_entry = function()
    return entry
  end,
}
package.loaded["telescope.actions"] = {
  close = function() end,
  select_default = {
    replace = function(_, action)
      replaced = action
    end,
  },
}
package.loaded["telescope.pickers"] = {
  new = function(_, options)
    return {
      find = function()
        entry = options.finder[1]
        local state = { bufnr = vim.api.nvim_create_buf(false, true) }
        options.previewer.define_preview({ state = state }, entry)
        seen.telescope = { title = options.prompt_title, row = entry.display, lines = shown_in(state.bufnr) }
        assert(options.attach_mappings(1))
        replaced()
      end,
    }
  end,
}

package.loaded["fzf-lua.previewer.builtin"] = {
  base = {
    extend = function(base)
      local class = setmetatable({ super = base }, { __index = base })
      class.__index = class
      return class
    end,
    new = function() end,
    get_tmp_buffer = function()
      return vim.api.nvim_create_buf(false, true)
    end,
    set_preview_buf = function(self, buffer)
      self.shown = buffer
    end,
  },
}
package.loaded["fzf-lua"] = {
  fzf_exec = function(lines, options)
    local preview = options.previewer.new(setmetatable({}, options.previewer), {}, {}, {})
    preview:populate_preview_buf(lines[1])
    seen["fzf-lua"] = { title = options.prompt, row = lines[1], lines = shown_in(preview.shown) }
    options.actions.default({ lines[1] })
  end,
}

require("patchpoint").setup()
local tax = act.open("till/tax.py")
seen.before = act.text(tax)
vim.cmd("Patchpoint checkpoint before the answer")
vim.fn.setreg("a", "`till/tax.py`:\n\n```diff\n@@ -1,3 +1,4 @@\n+import os\n" .. table.concat(
  vim.tbl_map(function(line)
    return " " .. line
  end, vim.api.nvim_buf_get_lines(tax, 0, 3, false)),
  "\n"
) .. "\n```\n")
for _, name in ipairs({ "snacks", "telescope", "fzf-lua" }) do
  require("patchpoint").setup({ picker = name })
  vim.cmd("Patchpoint apply a")
  act.wait("the edit for " .. name, function()
    return act.text(tax):find("import os", 1, true)
  end)
  vim.cmd("silent wall")
  vim.cmd("Patchpoint restore")
  act.wait("the text as it was, with " .. name, function()
    return act.text(tax) == seen.before
  end)
end
seen.unknown = select(2, pcall(require("patchpoint").setup, { picker = "other" }))
act.finish(seen)
