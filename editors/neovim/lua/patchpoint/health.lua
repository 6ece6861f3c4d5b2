--- `:checkhealth patchpoint`
local M = {}

function M.check()
  vim.health.start("patchpoint")
  if vim.fn.has("nvim-0.11") == 1 then
    vim.health.ok("Neovim " .. tostring(vim.version()))
  elseif vim.fn.has("nvim-0.10") == 1 then
    vim.health.warn("Neovim 0.10: call require('patchpoint').setup(), vim.lsp.enable comes with 0.11")
  else
    vim.health.error("Neovim 0.10 or newer is needed")
  end
  local config = vim.lsp.config and vim.lsp.config.patchpoint
  local command = config and type(config.cmd) == "table" and config.cmd[1] or "patchpoint"
  if vim.fn.executable(command) == 1 then
    vim.health.ok(vim.trim(vim.fn.system({ command, "--version" })) .. " at " .. vim.fn.exepath(command))
  else
    vim.health.error(
      "`" .. command .. "` is not on the PATH",
      { "pipx install patchpoint", "uv tool install patchpoint" }
    )
  end
  local clients = vim.lsp.get_clients({ name = "patchpoint" })
  if #clients > 0 then
    for _, client in ipairs(clients) do
      vim.health.ok(("running for %s"):format(client.root_dir or "single files"))
    end
  else
    vim.health.info("not running; open a file, with vim.lsp.enable('patchpoint') in your configuration")
  end
end

return M
