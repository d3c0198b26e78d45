"""Reading source files: encodings, marks at the start, line ends."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_chunk import ChunkingError, UnsupportedLanguageError
from code_chunk._files import SkippedFile, read_source, walk_repository

if TYPE_CHECKING:
    from collections.abc import Iterable

LATIN = "# Größe des Kühlschranks in Fächern, für Käse und Früchte\ngröße = 'übermäßig'\n" * 5
RUSSIAN = "# Настройки приложения: здесь задаются все пути\nимя = 'каталог данных'\n" * 5
JAPANESE = "# 設定ファイルを読み込んで、値を検証します。\n名前 = '日本語のテキスト'\n" * 5


def written(folder: Path, data: bytes) -> Path:
    path = folder / "a.py"
    path.write_bytes(data)
    return path


# --- strict ---


def test_utf8_is_the_default(tmp_path: Path) -> None:
    """Without an encoding, a file is UTF-8."""
    assert read_source(written(tmp_path, b"# \xc3\xa9")) == ("# é", "utf-8")


def test_path_may_be_a_str(tmp_path: Path) -> None:
    """A path is whatever `open` takes."""
    assert read_source(str(written(tmp_path, b"x"))) == ("x", "utf-8")


def test_empty_file(tmp_path: Path) -> None:
    """An empty file is an empty text."""
    assert read_source(written(tmp_path, b"")) == ("", "utf-8")


def test_line_ends_stay(tmp_path: Path) -> None:
    """No line end is translated."""
    assert read_source(written(tmp_path, b"a\r\nb\rc\n\x0c")) == ("a\r\nb\rc\n\x0c", "utf-8")


@pytest.mark.parametrize("encoding", ["utf-8", "guess"])
def test_mark_of_utf8_stays(tmp_path: Path, encoding: str) -> None:
    """The mark of UTF-8 is text, so that byte ranges fit the file."""
    assert read_source(written(tmp_path, b"\xef\xbb\xbfx"), encoding) == ("\ufeffx", "utf-8")


def test_mark_goes_when_the_codec_says_so(tmp_path: Path) -> None:
    """Who asks for a codec gets what it does."""
    assert read_source(written(tmp_path, b"\xef\xbb\xbfx"), "utf-8-sig") == ("x", "utf-8-sig")


@pytest.mark.parametrize(
    ("encoding", "name"), [("latin1", "iso8859-1"), ("UTF8", "utf-8"), ("Shift-JIS", "shift_jis")]
)
def test_codec_is_named_by_its_own_name(tmp_path: Path, encoding: str, name: str) -> None:
    """However it is asked for, a codec comes back under its own name."""
    assert read_source(written(tmp_path, b"x"), encoding) == ("x", name)


def test_other_codec(tmp_path: Path) -> None:
    """Any text codec of Python may be named."""
    assert read_source(written(tmp_path, b"\xe4\x80"), "cp1252") == ("ä€", "cp1252")


def test_undecodable(tmp_path: Path) -> None:
    """What is not in the encoding is refused, with the byte and its position."""
    with pytest.raises(ChunkingError, match=r"^not UTF-8: byte 0xe9 at position 3$") as caught:
        read_source(written(tmp_path, b"abc\xe9\n"))
    assert isinstance(caught.value.__cause__, UnicodeDecodeError)


def test_undecodable_in_another_codec(tmp_path: Path) -> None:
    """The refusal names the codec that was asked for."""
    with pytest.raises(ChunkingError, match=r"^not cp1252: byte 0x81 at position 1$"):
        read_source(written(tmp_path, b"a\x81"), "cp1252")


def test_undecodable_without_a_position(tmp_path: Path) -> None:
    """A codec that does not say where it failed is refused no less."""
    with pytest.raises(ChunkingError, match=r"^not undefined: .*undefined encoding"):
        read_source(written(tmp_path, b"a"), "undefined")


def test_strict_utf8_has_no_surrogates(tmp_path: Path) -> None:
    """An encoded surrogate is not UTF-8."""
    with pytest.raises(ChunkingError, match="0xed at position 0"):
        read_source(written(tmp_path, b"\xed\xa0\x80"))


def test_missing_file(tmp_path: Path) -> None:
    """The system's errors pass through."""
    with pytest.raises(FileNotFoundError):
        read_source(tmp_path / "missing.py")


@pytest.mark.parametrize("encoding", ["no such", "hex", "rot13", "zip", "", "locale"])
def test_no_text_codec(tmp_path: Path, encoding: str) -> None:
    """What is no text codec is a wrong value, whatever is in the file."""
    with pytest.raises(ValueError, match='must be "guess" or the name of a text codec, not \''):
        read_source(written(tmp_path, b""), encoding)


@pytest.mark.parametrize("encoding", [None, b"utf-8", 8])
def test_encoding_has_a_wrong_type(tmp_path: Path, encoding: Any) -> None:
    """An encoding is a str."""
    with pytest.raises(TypeError, match="encoding must be a str"):
        read_source(written(tmp_path, b""), encoding)


# --- guess ---


@pytest.mark.parametrize(
    ("mark", "codec", "name"),
    [
        (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16"),
        (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32"),
    ],
)
def test_mark_tells_the_encoding(tmp_path: Path, mark: bytes, codec: str, name: str) -> None:
    """The marks of UTF-16 and UTF-32 are believed, and belong to the encoding."""
    assert read_source(written(tmp_path, mark + "é = 1\r\n".encode(codec)), "guess") == ("é = 1\r\n", name)


def test_mark_that_lies(tmp_path: Path) -> None:
    """What has the mark of an encoding, but is not in it, is refused."""
    with pytest.raises(ChunkingError, match=r"^not utf-16: byte 0x61 at position 2$"):
        read_source(written(tmp_path, codecs.BOM_UTF16_LE + b"a"), "guess")


@pytest.mark.parametrize(
    ("text", "codec"),
    [(LATIN, "latin-1"), (RUSSIAN, "cp1251"), (JAPANESE, "shift_jis")],
)
def test_guess(tmp_path: Path, text: str, codec: str) -> None:
    """Text in an old encoding comes out right."""
    assert read_source(written(tmp_path, text.encode(codec)), "guess")[0] == text


def test_guess_names_what_it_used(tmp_path: Path) -> None:
    """The codec that comes back decodes the file."""
    path = written(tmp_path, RUSSIAN.encode("cp1251"))
    text, codec = read_source(path, "guess")
    assert read_source(path, codec) == (text, codec)


def test_guess_looks_where_the_bytes_are(tmp_path: Path) -> None:
    """A long file in ASCII with a few other characters at its end is guessed by those."""
    text = "x = 1\n" * 50_000 + RUSSIAN
    assert read_source(written(tmp_path, text.encode("cp1251")), "guess")[0] == text


def test_guess_looks_at_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To guess is slow, so that a big file is not looked at as a whole."""
    import charset_normalizer

    seen: list[int] = []
    original = charset_normalizer.from_bytes

    def spy(data: bytes) -> Any:
        seen.append(len(data))
        return original(data)

    monkeypatch.setattr(charset_normalizer, "from_bytes", spy)
    read_source(written(tmp_path, LATIN.encode("latin-1") * 5_000), "guess")
    assert [size <= 2 * 32_768 for size in seen] == [True]


def test_guess_decodes_the_whole(tmp_path: Path) -> None:
    """A guess that fails somewhere behind the part that was looked at is none."""
    data = RUSSIAN.encode("cp1251") + b"x = 1\n" * 20_000 + b"\x98"  # not in cp1251
    text, codec = read_source(written(tmp_path, data), "guess")
    assert (text.encode(codec), codec == "cp1251") == (data, False)


def test_nothing_can_be_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a guess, the file is refused."""
    import charset_normalizer

    monkeypatch.setattr(charset_normalizer, "from_bytes", lambda _: [])
    with pytest.raises(
        ChunkingError, match=r"^not UTF-8: byte 0xff at position 0, and no other encoding"
    ) as c:
        read_source(written(tmp_path, 8 * b"\xff"), "guess")
    assert isinstance(c.value.__cause__, UnicodeDecodeError)


def test_charset_normalizer_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, the refusal says what to install."""
    monkeypatch.setitem(sys.modules, "charset_normalizer", None)
    with pytest.raises(ChunkingError, match=r"0xff at position 0; .*pip install 'code-chunk\[encodings\]'"):
        read_source(written(tmp_path, 8 * b"\xff"), "guess")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            b"# -*- coding: koi8-r -*-\n# \xd0\xd2\xc9\xd7\xc5\xd4\xd0\xd2\n",
            ("# -*- coding: koi8-r -*-\n# приветпр\n", "koi8-r"),
        ),
        (
            b"#!x\n# vim: set fileencoding=latin-1 :\n\xe9",
            ("#!x\n# vim: set fileencoding=latin-1 :\né", "iso8859-1"),
        ),
        (b"# coding: nonsense\n\xe9", ("# coding: nonsense\né", "cp1252")),
        (b"# coding: guess\n\xe9", ("# coding: guess\né", "cp1252")),
        (b"# coding: ascii\n\xe9", ("# coding: ascii\né", "cp1252")),
        (b'x = "\xe9\x80"\r\n', ('x = "é€"\r\n', "cp1252")),
    ],
)
def test_simple_guesses(
    data: bytes, expected: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the file declares counts, and of a few bytes the most common encoding; the extra is not needed."""
    monkeypatch.setitem(sys.modules, "charset_normalizer", None)
    assert read_source(written(tmp_path, data), "guess") == expected


def test_utf8_needs_no_guess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """UTF-8 is read without the extra."""
    monkeypatch.setitem(sys.modules, "charset_normalizer", None)
    assert read_source(written(tmp_path, "é".encode()), "guess") == ("é", "utf-8")


@given(text=st.text())
def test_guess_and_strict_agree(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every UTF-8 file reads the same either way."""
    path = written(tmp_path_factory.getbasetemp(), text.encode())
    assert read_source(path, "guess") == read_source(path) == (text, "utf-8")


@given(data=st.binary(max_size=300))
def test_guess_ends(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Any bytes give a text that encodes to them again, or a refusal."""
    path = written(tmp_path_factory.getbasetemp(), data)
    try:
        text, codec = read_source(path, "guess")
    except ChunkingError:
        return
    assert data.decode(codec) == text


# --- arguments of the walk ---


@pytest.mark.parametrize("option", ["include", "exclude", "languages"])
def test_lone_str(tmp_path: Path, option: str) -> None:
    """A str instead of several is refused, and what to write is said."""
    with pytest.raises(TypeError, match=rf"{option} must be several str, not str: write {option}=\['go'\]"):
        walk_repository(tmp_path, **{option: "go"})  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["include", "exclude", "languages"])
@pytest.mark.parametrize("value", [[1], [None], [b"go"], 5, b"go"])
def test_no_str(tmp_path: Path, option: str, value: Any) -> None:
    """What is no str is refused."""
    with pytest.raises(TypeError, match=option):
        walk_repository(tmp_path, **{option: value})


@pytest.mark.parametrize("value", [["*.py"], ("*.py",), {"*.py"}, iter(["*.py"])])
def test_any_iterable(tmp_path: Path, value: Iterable[str]) -> None:
    """Patterns may come in any iterable."""
    written(tmp_path, b"")
    assert list(walk_repository(tmp_path, include=value)) == [tmp_path / "a.py"]


@pytest.mark.parametrize("pattern", ["", "#x", "/", "!", "[", "x\\"])
def test_pattern_without_a_match(tmp_path: Path, pattern: str) -> None:
    """A pattern that can match nothing is a mistake."""
    with pytest.raises(ValueError, match="exclude: no file can match the pattern"):
        walk_repository(tmp_path, exclude=[pattern])


def test_unknown_language(tmp_path: Path) -> None:
    """An unknown language is refused before anything is walked."""
    with pytest.raises(UnsupportedLanguageError, match="Unknown language: klingon"):
        walk_repository(tmp_path, languages=["python", "klingon"])


def test_no_language(tmp_path: Path) -> None:
    """To ask for no language is a mistake."""
    with pytest.raises(ValueError, match="languages must name one at least"):
        walk_repository(tmp_path, languages=[])


@pytest.mark.parametrize(
    ("value", "error"), [("1", TypeError), (1.5, TypeError), (True, TypeError), (-1, ValueError)]
)
def test_size(tmp_path: Path, value: Any, error: type[Exception]) -> None:
    """A size is an int from 0, or None."""
    with pytest.raises(error, match="max_file_bytes"):
        walk_repository(tmp_path, max_file_bytes=value)


@pytest.mark.parametrize("option", ["follow_symlinks", "skip_generated"])
def test_flag(tmp_path: Path, option: str) -> None:
    """A flag is a bool."""
    with pytest.raises(TypeError, match=f"{option} must be a bool, not int"):
        walk_repository(tmp_path, **{option: 1})  # type: ignore[arg-type]


@pytest.mark.parametrize("root", [None, 5, b"folder"])
def test_root_has_a_wrong_type(root: Any) -> None:
    """A root is a path."""
    with pytest.raises(TypeError):
        walk_repository(root)


def test_root_is_missing(tmp_path: Path) -> None:
    """A missing root is told at once."""
    with pytest.raises(FileNotFoundError):
        walk_repository(tmp_path / "missing")


def test_root_is_a_file(tmp_path: Path) -> None:
    """A root that is a file is told at once."""
    with pytest.raises(NotADirectoryError):
        walk_repository(written(tmp_path, b""))


def test_skipped_file_is_a_value() -> None:
    """Two skipped files with the same content are equal."""
    assert SkippedFile(Path("a"), "binary", "x") == SkippedFile(Path("a"), "binary", "x")
