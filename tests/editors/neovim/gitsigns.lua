-- What gitsigns compares with while a review is open, by the lines of the page. It is not installed here: a module
-- in its place has the function of its manual, `change_base({base}, {global})`.
local act = require("acting")
local seen = { bases = {} }

package.loaded.gitsigns = {
  change_base = function(base, is_global)
    table.insert(seen.bases, { base or "", is_global })
  end,
}
load(vim.env.LINES_OF_PAGE)()
require("patchpoint").setup()
act.open("one.txt")
vim.cmd("Patchpoint review")
act.wait("the base of the review", function()
  return #seen.bases > 0
end)
vim.cmd("Patchpoint review finish a")
act.wait("what is committed", function()
  local last = seen.bases[#seen.bases]
  return last[1] == ""
end)
act.finish(seen)
