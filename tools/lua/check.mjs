// Checks the Lua of the plugin and of the tests, or formats it with --write: StyLua's format, syntax, and names.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Config, formatCode, IndentType, OutputVerification } from "@johnnymorganz/stylua";
import luaparse from "luaparse";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDERS = ["editors/neovim", "tests/editors", "tests/install"];

/** What Neovim's Lua has without a `local` or a `require`. */
const GLOBALS = new Set(
    `assert bit collectgarbage coroutine debug dofile error getmetatable io ipairs jit load loadfile math next
    os package pairs pcall print rawequal rawget rawlen rawset require select setmetatable string table tonumber
    tostring type unpack vim xpcall`.split(/\s+/),
);

function formatted(source) {
    const config = Config.new();
    config.column_width = 120;
    config.indent_type = IndentType.Spaces;
    config.indent_width = 2;
    return formatCode(source, config, null, OutputVerification.Full);
}

/** What is wrong with the names of a file; throws where its syntax is. */
function* problems(source) {
    const uses = new Map();
    const locals = [];
    const chunk = luaparse.parse(source, {
        luaVersion: "LuaJIT",
        scope: true,
        locations: true,
        onCreateNode(node) {
            if (node.type === "Identifier") uses.set(node.name, (uses.get(node.name) ?? 0) + 1);
            if (node.type === "LocalStatement") locals.push(...node.variables);
            if (node.type === "FunctionDeclaration" && node.isLocal) locals.push(node.identifier);
        },
    });
    for (const { name, loc } of chunk.globals) {
        if (!GLOBALS.has(name))
            yield `${loc.start.line}: ${name} is neither local nor one of Neovim's globals`;
    }
    for (const { name, loc } of locals) {
        if (uses.get(name) === 1 && !name.startsWith("_")) yield `${loc.start.line}: ${name} is never used`;
    }
}

const write = process.argv.includes("--write");
const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
        .filter((name) => name.endsWith(".lua"))
        .map((name) => join(folder, name)),
);
for (const file of files.sort()) {
    const source = readFileSync(join(ROOT, file), "utf8");
    const found = [];
    try {
        found.push(...problems(source));
        const wanted = formatted(source);
        if (wanted !== source && write) writeFileSync(join(ROOT, file), wanted);
        else if (wanted !== source) found.push("1: its format is not StyLua's; run `make format`");
    } catch (error) {
        found.push(`1: ${error.message ?? error}`);
    }
    for (const problem of found) console.error(`${file}:${problem}`);
    if (found.length > 0) process.exitCode = 1;
}
if (files.length === 0) throw new Error("There is no Lua to check; the folders have moved.");
