-- What lazy.nvim does with the specifications of its plugins, as far as they are used on the page: a clone of `url`, or
-- the folder `dir`, is put on the runtime path and its scripts are run, then the one module in it is given `opts`.
local specs = dofile(vim.env.SPECS)
for _, spec in ipairs(type(specs[1]) == "table" and specs or { specs }) do
  local folder = spec.dir
  if spec.url then
    folder = vim.fn.stdpath("data") .. "/lazy/" .. vim.fs.basename(spec.url):gsub("%.git$", "")
    vim.fn.system({ "git", "clone", "--quiet", spec.url, folder })
    assert(vim.v.shell_error == 0, "git clone")
  end
  vim.opt.runtimepath:prepend(folder)
  for _, script in ipairs(vim.fn.glob(folder .. "/plugin/**/*.lua", false, true)) do
    vim.cmd.source(script)
  end
  if spec.opts then
    local modules = vim.fn.readdir(folder .. "/lua")
    assert(#modules == 1, "one module, and no other, is the plugin's")
    require(modules[1]).setup(spec.opts)
  end
end
