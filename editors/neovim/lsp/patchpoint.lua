-- The server's configuration for `vim.lsp.enable("patchpoint")` (Neovim 0.11). It names no file types, because an
-- answer can have edits for any file.
return {
  cmd = { "patchpoint" },
  root_dir = function(buffer, on_root)
    local root = require("patchpoint.server").root(buffer, { ".git" })
    if root then
      on_root(root)
    end
  end,
  handlers = require("patchpoint").handlers,
}
