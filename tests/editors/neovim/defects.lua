-- What a demanding user of the plugin comes across, in the order of an afternoon.
local act = require("acting")
local show = require("patchpoint.show")
local seen = { notified = {}, asked = {}, events = {} }

vim.notify = function(message)
  table.insert(seen.notified, message)
end
local choice = 1
vim.ui.select = function(items, options, on_choice)
  local name = options.format_item or tostring
  table.insert(seen.asked, { prompt = options.prompt, items = vim.tbl_map(name, items), diff = vim.bo.filetype })
  on_choice(items[choice], choice)
end
for _, pattern in ipairs({ "Applied", "Restored", "Checkpoint", "Pending" }) do
  vim.api.nvim_create_autocmd("User", {
    pattern = "Patchpoint" .. pattern,
    callback = function(event)
      seen.events[pattern] = (seen.events[pattern] or 0) + 1
      seen[pattern] = event.data
    end,
  })
end
local function run(command, text)
  seen.notified = {}
  vim.cmd("Patchpoint " .. command)
  if text then
    act.wait("the message '" .. text .. "' after " .. command, function()
      return #vim.tbl_filter(function(message)
        return message:find(text, 1, true) ~= nil
      end, seen.notified) > 0
    end)
  end
  return seen.notified[#seen.notified]
end
local function clients()
  return #vim.lsp.get_clients({ name = "patchpoint" })
end

require("patchpoint").setup()
local tax, client = act.open("till/tax.py")
local before = act.text(tax)
seen.help = vim.fn.getcompletion("patchpoint", "help")
vim.cmd.help("patchpoint")
seen.help_page = vim.fn.expand("%:t")
vim.cmd.helpclose()

-- Names of registers, and what is in them.
vim.fn.setreg("n", "this is not meant")
seen.nonsense = run("apply nonsense", "is not a register")
vim.fn.setreg("e", "")
seen.empty = run("apply e", "is empty")
vim.fn.setreg("p", "Certainly! I have looked at the code, and it is fine.\n")
seen.prose = run("apply p", "no edits found")

vim.fn.setreg("c", "```python\nprint(1)\n```\n")
seen.code = run("apply c", "no edits found")
local there = "till/tax.py\n<<<<<<< SEARCH\nimport nothing\n=======\nfrom decimal import Decimal\n>>>>>>> REPLACE\n"
vim.fn.setreg("t", there)
seen.there_already = run("apply t", "already")

-- An answer that is refused, then the part of it that fits.
vim.fn.setreg("a", act.read(vim.env.ANSWER))
seen.refused = run("apply a", "nothing was applied")
seen.quickfix = vim.tbl_map(function(item)
  return { text = item.text, line = item.lnum, type = item.type, file = vim.fn.bufname(item.bufnr) }
end, vim.fn.getqflist())
seen.applied = run("matching a", "4 of 6 edits applied")
act.wait("the event of applied edits", function()
  return seen.Applied ~= nil
end)
act.wait("the pending edits", function()
  return require("patchpoint").status() ~= ""
end)
seen.status = require("patchpoint").status()
vim.cmd("silent wall")

-- A preview that the server opens needs no server of its own, and commands work from there.
act.send(client, {
  command = "patchpoint.previewEdits",
  arguments = { { text = act.read(vim.env.ANSWER), atomic = "edit" } },
}, function() end)
act.wait("the preview", function()
  return vim.api.nvim_buf_get_name(0):find("/shown/", 1, true) ~= nil
end)
seen.clients_at_preview = clients()
run("pending")
act.wait("the quickfix window", function()
  return vim.bo.buftype == "quickfix"
end)
seen.pending = #vim.fn.getqflist()
vim.cmd.cclose()

-- An answer that is pasted into a buffer without a name.
vim.cmd.new()
vim.bo.filetype = "markdown"
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "Certainly!", "I have nothing to change." })
seen.pasted = run("preview a", "fit")
vim.cmd("only!")
vim.cmd.enew({ bang = true })
vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(act.read(vim.env.ANSWER), "\n"))
seen.notified = {}
vim.cmd("%Patchpoint matching")
act.wait("the message about the pasted answer", function()
  return #seen.notified > 0
end)
seen.from_nowhere = seen.notified[1]
seen.clients_at_paste = clients()
vim.bo.modified = false

-- Checkpoints: compared side by side, restored after a look, and nothing asked where nothing would change.
vim.cmd.edit("till/tax.py")
run("checkpoint after the answer", "checkpoint ")
act.wait("the event of a checkpoint", function()
  return seen.Checkpoint ~= nil
end)
seen.asked = {}
run("restore after the answer", "nothing has changed")
seen.asked_for_nothing = #seen.asked
local newest = vim.fn.getcompletion("Patchpoint restore ", "cmdline")
seen.completion = newest
seen.completion_of_labels = vim.fn.getcompletion("Patchpoint restore after th", "cmdline")
local listed = act.call(client, "listCheckpoints", {}).checkpoints
local first = listed[#listed]
seen.first_label = first.label
vim.cmd("Patchpoint diff " .. first.id)
act.wait("two windows side by side", function()
  return #vim.api.nvim_tabpage_list_wins(0) == 2 and vim.wo.diff
end)
seen.side_by_side = vim.tbl_map(function(window)
  return act.text(vim.api.nvim_win_get_buf(window)):find("ROUND_HALF_UP", 1, true) ~= nil
end, vim.api.nvim_tabpage_list_wins(0))
vim.cmd.tabclose()
choice = 2
vim.cmd("Patchpoint restore " .. first.id)
act.wait("the question before a restore", function()
  return #seen.asked == 1
end)
seen.restore = act.text(0)
vim.cmd.close()
seen.twice_reversed = show.reversed(show.reversed(seen.restore)) == seen.restore .. "\n"
seen.notified = {}
choice = 1
vim.cmd("Patchpoint rename " .. first.id .. " the good one")
act.wait("the new name", function()
  return seen.notified[1] ~= nil
end)
seen.renamed = seen.notified[1]

-- Pending edits are discarded after a question.
seen.asked = {}
seen.discarded = run("discard", "discarded")
seen.asked_to_discard = seen.asked[1].prompt

-- What was applied is taken back by name.
seen.asked = {}
seen.reverted = run("applications", "reverted")
seen.applications = seen.asked[1].items
act.wait("the text before", function()
  return act.text(tax) == before
end)

-- Two projects: what is meant is that of the buffer, and messages name it.
local other = vim.fn.tempname() .. "-other"
vim.fn.mkdir(other .. "/.git", "p")
vim.fn.writefile({ "one" }, other .. "/one.txt")
local _, second = act.open(other .. "/one.txt")
seen.two = clients()
seen.second_root = vim.fs.basename(second.root_dir)
vim.cmd.enew()
seen.where_nothing_is_open = vim.fs.basename(require("patchpoint.server").client().root_dir)
seen.named = run("pending", "no pending edits")
act.finish(seen)
