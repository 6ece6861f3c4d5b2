--- A source for mini.diff: while a file is reviewed, it is compared with what it was at the checkpoint of the review.
local review = require("patchpoint.review")
local server = require("patchpoint.server")

local M = {}

--- Return the lines of a file, read as a buffer is: by its encoding and its endings.
local function lines_of(path)
  local is_open = vim.fn.bufloaded(path) == 1
  local buffer, ignored = vim.fn.bufadd(path), vim.o.eventignore
  vim.o.eventignore = "all"
  vim.fn.bufload(buffer)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  if not is_open then
    vim.api.nvim_buf_delete(buffer, { force = true })
  end
  vim.o.eventignore = ignored
  return lines
end

--- Return the source, for `source` in the settings of mini.diff, where others may follow it: it leaves to them what is not reviewed.
---@return table source as `:help MiniDiff-source-specification` has it
function M.source()
  local diff = require("mini.diff")
  -- The checkpoint that each buffer is compared with.
  local attached = {}

  local function attach(buffer)
    local uri = vim.uri_from_bufnr(buffer)
    local since = review.since(uri)
    attached[buffer] = since
    if not since then
      return false
    end
    server.request("diffCheckpoint", { checkpoint = since, uri = uri }, function(_, answer)
      local file = answer and answer.files[1]
      if file and attached[buffer] == since and vim.api.nvim_buf_is_loaded(buffer) then
        local original = type(file.originalUri) == "string" and vim.uri_to_fname(file.originalUri)
        diff.set_ref_text(buffer, original and lines_of(original) or {})
      end
    end)
  end

  vim.api.nvim_create_autocmd("User", {
    group = vim.api.nvim_create_augroup("patchpoint_mini_diff", {}),
    pattern = "PatchpointReview",
    callback = function()
      for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
        local is_file = vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].buftype == ""
        if is_file and review.since(vim.uri_from_bufnr(buffer)) ~= attached[buffer] then
          diff.disable(buffer)
          diff.enable(buffer)
        end
      end
    end,
  })

  return {
    name = "patchpoint",
    attach = attach,
    detach = function(buffer)
      attached[buffer] = nil
    end,
  }
end

return M
