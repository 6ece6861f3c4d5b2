---@brief
---
--- @REPOSITORY@
---
--- Applies the edits that a language model wrote where they belong, or asks, and keeps checkpoints.
---
--- `uv tool install patchpoint` or `pipx install patchpoint` installs it. Its own plugin for Neovim adds commands;
--- with this configuration there are diagnostics, code actions and lenses. It names no file types, because an answer
--- can have edits for any file.

---@type vim.lsp.Config
return {
  cmd = { 'patchpoint' },
  root_markers = { '.git' },
}
