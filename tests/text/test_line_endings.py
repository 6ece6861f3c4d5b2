from patchpoint.text.line_endings import Endings, endings_of, with_ending


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


def test_all_endings_become_the_wanted_one() -> None:
    assert with_ending("a\nb\r\nc\rd", "\r\n") == "a\r\nb\r\nc\r\nd"
    assert with_ending("a\r\nb", "\n") == "a\nb"
