from patchpoint.text.endings import Endings, ending_near, endings_of, with_ending
from patchpoint.text.lines import LineTable


def test_each_kind_of_ending_is_counted() -> None:
    assert endings_of("a\nb\r\nc\rd\r\n") == Endings(lf=1, crlf=2, cr=1)
    assert endings_of("a\nb") == Endings(lf=1, crlf=0, cr=0)


def test_a_text_with_two_kinds_is_mixed() -> None:
    assert endings_of("a\nb\r\n").mixed
    assert not endings_of("a\r\nb\r\n").mixed


def test_the_usual_ending_is_the_most_frequent() -> None:
    assert endings_of("a\nb\r\nc\r\n").usual == "\r\n"
    assert endings_of("a\rb\r").usual == "\r"
    assert endings_of("a").usual == "\n"


def test_a_new_line_takes_the_ending_of_the_line_above() -> None:
    table = LineTable.of("a\r\nb\nc\n")
    assert ending_near(table, 1) == "\r\n"
    assert ending_near(table, 2) == "\n"


def test_a_new_first_line_takes_the_ending_of_the_line_it_pushes_down() -> None:
    assert ending_near(LineTable.of("a\r\nb\n"), 0) == "\r\n"


def test_a_line_put_behind_one_without_an_ending_takes_the_usual_one() -> None:
    assert ending_near(LineTable.of("a\r\nb\r\nc"), 3) == "\r\n"
    assert ending_near(LineTable.of("only"), 1) == "\n"


def test_all_endings_become_the_wanted_one() -> None:
    assert with_ending("a\nb\r\nc\rd", "\r\n") == "a\r\nb\r\nc\r\nd"
    assert with_ending("a\r\nb", "\n") == "a\nb"
