-- Edits at the ends of files, all of which are open: chosen, applied, taken back, restored, undone. After each step the
-- lines of every buffer, and what is on the disk, before and after it is written.
local act = require("acting")
local given = vim.json.decode(act.read(vim.env.GIVEN))
local seen = {}

require("patchpoint").setup()
vim.o.autoread = true
local buffers, client = {}, nil
for _, name in ipairs(given.files) do
  buffers[name], client = act.open(name)
end

--- Return the text of a buffer as it would be written, but for `\r`.
local function text_of(buffer)
  return act.text(buffer) .. "\n"
end

--- Wait until the buffers show what a step leads to, and note what they show in the end.
local function note(step, typed)
  vim.wait(10000, function()
    return vim.iter(buffers):all(function(name, buffer)
      local wanted = vim.trim(given.shown[step][name]) .. (typed and "\ntyped" or "")
      return vim.trim(text_of(buffer)) == vim.trim(wanted)
    end)
  end, 10)
  seen[step] = {}
  for name, buffer in pairs(buffers) do
    local text = text_of(buffer)
    local shown = vim.bo[buffer].fileformat == "dos" and text:gsub("\n", "\r\n") or text
    seen[step][name] = { shown = shown, disk = act.read(name) }
  end
end

local function write()
  vim.cmd("silent wall")
end

local function statuses(answer)
  return vim.tbl_map(function(edit)
    return edit.status
  end, answer.edits)
end

local first = act.call(client, "takeCheckpoint", { label = "before" })

local twice = act.call(client, "applyEdits", { text = act.read("twice.md"), atomic = "edit" })
seen.twice = statuses(twice)
local chosen = {}
for _, edit in ipairs(twice.edits) do
  local name = vim.fs.basename(vim.uri_to_fname(edit.uri))
  local answer = act.call(client, "resolveEdit", { edit = edit.id, candidate = given.candidates[name] })
  table.insert(chosen, answer.application)
end
note("resolved")
write()

local once = act.call(client, "applyEdits", { text = act.read("once.md"), atomic = "all" })
seen.once = statuses(once)
note("applied")
write()
local second = act.call(client, "takeCheckpoint", { label = "after" })

for _, application in ipairs({ once.application, unpack(chosen) }) do
  act.call(client, "revertEdits", { application = application })
end
note("taken back")
write()

for _, checkpoint in ipairs({ second, first }) do
  for _, buffer in pairs(buffers) do
    vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { "typed" })
  end
  act.call(client, "restoreCheckpoint", { checkpoint = checkpoint.id })
  note("restored " .. checkpoint.label)
  act.call(client, "undoRestore", {})
  note("undone " .. checkpoint.label, true)
  for _, buffer in pairs(buffers) do
    vim.api.nvim_buf_set_lines(buffer, -2, -1, false, {})
  end
end
seen.messages = vim.api.nvim_exec2("messages", { output = true }).output
act.finish(seen)
