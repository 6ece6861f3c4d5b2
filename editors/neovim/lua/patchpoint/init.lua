--- Patchpoint in Neovim: starts the server, and handles its notifications.
local M = {}

--- Reload the buffers whose files changed on disk, without a question. A buffer with unsaved changes is left to Neovim,
--- which asks.
local function reload_buffers()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].buftype == "" and not vim.bo[buffer].modified then
      local autoread = vim.bo[buffer].autoread
      vim.bo[buffer].autoread = true
      vim.cmd.checktime({ args = { buffer } })
      vim.bo[buffer].autoread = autoread
    end
  end
end

--- Handlers of the server's custom notifications.
M.handlers = {
  ["patchpoint/didRestoreCheckpoint"] = reload_buffers,
  ["patchpoint/didApplyEdits"] = reload_buffers,
  ["patchpoint/didChangeReview"] = function(...)
    require("patchpoint.review").changed(...)
  end,
}

--- Start the server for every buffer.
---@param options table? fields of `vim.lsp.Config`; `settings = { patchpoint = { ... } }` are the server's settings
function M.setup(options)
  if vim.lsp.config and vim.lsp.enable then
    vim.lsp.config("patchpoint", options or {})
    vim.lsp.enable("patchpoint")
    return
  end
  -- Neovim 0.10 has no table of configurations: start one client for each root as buffers are opened.
  local defaults = dofile(vim.api.nvim_get_runtime_file("lsp/patchpoint.lua", false)[1])
  local config = vim.tbl_deep_extend("force", { name = "patchpoint" }, defaults, options or {})
  vim.api.nvim_create_autocmd("FileType", {
    group = vim.api.nvim_create_augroup("patchpoint", {}),
    callback = function(event)
      if vim.bo[event.buf].buftype == "" then
        local root = vim.fs.root(event.buf, defaults.root_markers)
        vim.lsp.start(vim.tbl_extend("keep", config, { root_dir = root }), { bufnr = event.buf })
      end
    end,
  })
end

return M
