"""What is around edits in an answer, and what is none, at any size."""

from __future__ import annotations

from tests.growth.kinds import Asked, Kind

_FILES = {"m.py": "x\n"}


def transcript(n: int) -> Asked:
    """The fences of a conversation, with words between."""
    step = (
        "## Step {0}\n\nSome words about what is done here, and why it is done so.\n\n"
        "```python\nprint({0})\nx = {0}\n```\n\nThe output:\n\n```\n{0}\n```\n\n"
    )
    return Asked(_FILES, "".join(map(step.format, range(n))))


def bare_fences(n: int) -> Asked:
    """Lines that open and close fences."""
    return Asked(_FILES, "```\n" * n)


def a_name_again_and_again(n: int) -> Asked:
    """A name that is to be renamed, very often on one line."""
    return Asked({"m.js": "x.foo();" * n + "\n"}, "Rename `foo` to `bar` in `m.js`.")


def lines_to_be_added(n: int) -> Asked:
    """New lines for a file without a grammar, which has as many."""
    own, new = ("".join(f"{sign}{i}=1\n" for i in range(n)) for sign in "ab")
    return Asked({"m.env": own}, f"Add to `m.env`:\n\n```\n{new}```\n")


def long_fences(n: int) -> Asked:
    """One fence of very many signs, and one of others."""
    return Asked(_FILES, "`" * n + "\n" + "~" * n)


def long_outputs(n: int) -> Asked:
    """Fences with one long line each."""
    output = f"It is called and prints:\n\n```python\n{'x' * 4000}\n```\n\n"
    return Asked(_FILES, output * n)


def suggestions_of_no_file(n: int) -> Asked:
    """Suggestions that say neither their lines nor their file."""
    one = "A word on it:\n\n```suggestion\nv{0} = -{0}\n```\n\nSome words about it.\n\n"
    return Asked(_FILES, "".join(map(one.format, range(n))))


def headings(n: int) -> Asked:
    """Headings with a path above one fence."""
    return Asked(_FILES, "### `m.py`\n\n" * n + "```python\nx = 1\n```")


def one_line_of_slashes(n: int) -> Asked:
    """A line of signs that paths begin with, which end in no name, above a fence."""
    return Asked(_FILES, "/" * n + "\n\n```python\nx = 1\n```")


def before_and_after(n: int) -> Asked:
    """All of a file before and after the change."""
    file = "\n".join(f"v{i} = {i}" for i in range(n))
    after = file.replace("= 1", "= 7")
    return Asked(
        {"m.py": file}, f"Before (`m.py`):\n```python\n{file}\n```\nAfter:\n```python\n{after}\n```\n"
    )


def changes_of_this_to_that(n: int) -> Asked:
    """A fence with what changes, and one with what it becomes, many times."""
    change = (
        "In `m.py`, change this:\n\n```python\nv{0} = {0}\n```\n\nto this:\n\n```python\nv{0} = -{0}\n```\n\n"
    )
    files = {"m.py": "".join(f"v{i} = {i}\n" for i in range(n))}
    return Asked(files, "".join(map(change.format, range(0, n, 25))))


def code_of_any_file(n: int) -> Asked:
    """Code that names no file, among many files."""
    files = {f"d{i % 20}/m{i}.py": f"def f{i}(a):\n    x = a + {i}\n    return x\n" for i in range(n // 10)}
    code = "Change:\n```python\ndef f1(a):\n    # ... existing code ...\n    return x*2\n```\n"
    return Asked(files, code * 5)


def code_of_as_many_files(n: int) -> Asked:
    """Code for each of as many files, of which one is named."""
    files = {f"d{i % 20}/m{i}.py": f"def f{i}(a):\n    x = a + {i}\n    return x\n" for i in range(n)}
    fence = "```python\ndef f{0}(a):\n    # ... existing code ...\n    return x*2\n```\n\n"
    code = "".join(f"Change this, too:\n\n{fence.format(i)}" for i in range(1, n))
    return Asked(files, f"In `d0/m0.py`, change:\n\n{fence.format(0)}{code}")


def prose_around_code(n: int) -> Asked:
    """Long paragraphs, with code that names no file between them."""
    prose = "Some words about `f1`, what it is for, and why it is as it is. " * 30
    code = "\n\n```python\ndef f{0}(a):\n    return {0}\n```\n\n"
    return Asked(_FILES, "".join(prose + code.format(i) for i in range(n)))


def a_value_below_a_long_word(n: int) -> Asked:
    """Another value of a name, in a file that has a text without a blank in it."""
    answer = "Change the rate in `m.py`:\n\n```python\nRATE = 2\n```\n"
    return Asked({"m.py": f"KEY = 1\n# {'ab' * n}\nRATE = 1\n"}, answer)


def a_long_word_in_a_new_file(n: int) -> Asked:
    """A file that is created, with a text without a blank in it."""
    return Asked(_FILES, f"```bash\ncat > new.py <<'EOF'\n{'a' * n}\nEOF\n```\n")


def blank_lines_of_a_page(n: int) -> Asked:
    """A page of a chat whose code is followed by nothing."""
    return Asked(_FILES, "m.py\npython\nCopy\nEdit\n" + "\n" * n + "That is it.\n")


def numbers_of_lines_in_a_sentence(n: int) -> Asked:
    """A sentence with what may be the number of a line, again and again."""
    return Asked(_FILES, f"Change `x = 1` to `{'L1' * n}` in `m.py`.\n")


def broken_json(n: int) -> Asked:
    """The beginning of a call, again and again."""
    return Asked(_FILES, '{"file_path":"m.py","old_string":"' * n)


def broken_tags(n: int) -> Asked:
    """The tags of a call that nothing closes."""
    return Asked(_FILES, "<edit><path>m.py</path><search>" * n)


def nested_thoughts(n: int) -> Asked:
    """Thoughts in thoughts, half of them closed."""
    return Asked(_FILES, "<think>" * n + "x" + "</think>" * (n // 2))


def open_here_documents(n: int) -> Asked:
    """Here-documents that nothing ends."""
    lines = "".join(f"cat > m{i}.py <<'E{i}'\nx\n" for i in range(n))
    return Asked(_FILES, f"```bash\n{lines}```\n")


def commands(n: int) -> Asked:
    """Commands that are not run."""
    return Asked({"m.py": "x\n" * n}, "```bash\n" + "sed -i 's/x/y/' m.py\n" * n + "```\n")


def commands_around_an_edit(n: int) -> Asked:
    """Commands that are not run, in fences of their own, and one edit."""
    one = "```bash\nsed -i 's/x{0}/y/' m.py\n```\n\n"
    edit = "m.py\n```\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n"
    return Asked(_FILES, edit + "".join(map(one.format, range(n))))


def nested_markers(n: int) -> Asked:
    """Every marker of an edit again and again."""
    markers = "<<<<<<< SEARCH\n" * n + "x\n" + "=======\n" * n + "y\n" + ">>>>>>> REPLACE\n" * n
    return Asked(_FILES, f"m.py\n```\n{markers}```\n")


KINDS = (
    Kind(transcript, 30),
    Kind(a_name_again_and_again, 1000),
    Kind(lines_to_be_added, 1000),
    Kind(bare_fences, 150),
    Kind(long_outputs, 50),
    Kind(suggestions_of_no_file, 100),
    Kind(long_fences, 200_000),
    Kind(headings, 10_000),  # so many that from the first size on not all of them are looked at
    Kind(one_line_of_slashes, 150),
    Kind(before_and_after, 2000),
    Kind(changes_of_this_to_that, 500),
    Kind(code_of_any_file, 2000),
    Kind(code_of_as_many_files, 25),
    Kind(prose_around_code, 25),
    Kind(a_value_below_a_long_word, 100_000),
    Kind(a_long_word_in_a_new_file, 20_000),
    Kind(blank_lines_of_a_page, 4000),
    Kind(numbers_of_lines_in_a_sentence, 2000),
    Kind(broken_json, 4000),
    Kind(broken_tags, 4000),
    Kind(nested_thoughts, 1000),
    Kind(open_here_documents, 4000),
    Kind(commands, 1000),
    Kind(commands_around_an_edit, 200),
    Kind(nested_markers, 500),
)
