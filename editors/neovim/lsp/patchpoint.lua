-- The server's configuration for `vim.lsp.enable("patchpoint")` (Neovim 0.11). It names no file types: an answer can
-- name any file, so the server is there for all of them.
return {
  cmd = { "patchpoint" },
  root_markers = { ".git" },
  handlers = require("patchpoint").handlers,
}
