-- The source for mini.diff, of which this has what its help says: sources are attached in their order, the first that does
-- not return false is the source of a buffer.
local act = require("acting")
local seen = {}
local texts, sources, sources_of = {}, {}, {}

local mini = {}
function mini.enable(buffer)
  for _, source in ipairs(sources) do
    if not sources_of[buffer] and source.attach(buffer) ~= false then
      sources_of[buffer] = source
    end
  end
end
function mini.disable(buffer)
  local source = sources_of[buffer]
  sources_of[buffer], texts[buffer] = nil, nil
  if source and source.detach then
    source.detach(buffer)
  end
end
function mini.set_ref_text(buffer, lines)
  texts[buffer] = table.concat(lines, "\n")
end
package.loaded["mini.diff"] = mini

require("patchpoint").setup()
sources = { require("patchpoint.mini_diff").source(), { name = "git", attach = function() end } }
local one = act.open("one.txt")
mini.enable(one)
seen.before = sources_of[one].name
vim.cmd("Patchpoint review")
act.wait("the file as it was", function()
  return texts[one]
end)
seen.during = sources_of[one].name
seen.text = texts[one]
vim.cmd("edit made.txt")
local made = vim.api.nvim_get_current_buf()
mini.enable(made)
act.wait("a file that was not there", function()
  return texts[made]
end)
seen.made = texts[made]
vim.cmd("Patchpoint review finish")
act.wait("the source as before", function()
  return sources_of[one] and sources_of[one].name == "git"
end)
act.finish(seen)
