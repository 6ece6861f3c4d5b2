-- The server's configuration for `vim.lsp.enable("patchpoint")` (Neovim 0.11). It names no file types, because an
-- answer can have edits for any file.
return {
  cmd = { "patchpoint" },
  root_markers = { ".git" },
  handlers = require("patchpoint").handlers,
}
