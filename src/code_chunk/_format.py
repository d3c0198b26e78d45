"""Text and its context -> contextualized text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ._types import ChunkContext

if TYPE_CHECKING:
    from ._types import ContextFormat

_PATH_PARTS = 3
_USES = 10
BLANK = "".join(map(chr, range(0x21)))
"""Whitespace: every code point up to U+0020."""
_NOT_DEFINED = ("import", "export", "constant")
_SMALL = r"[^\x00-`{-\x7f]"  # a to z, and all that is not ASCII
_PART = re.compile(rf"[A-Z]{{2,}}s(?!{_SMALL})|[A-Z]+(?!{_SMALL})|[A-Z]?{_SMALL}+|[0-9]+")
"""A part of a compound name: ``parse``, ``HTTP`` and ``Headers`` of ``parse_HTTPHeaders``."""
_PARAGRAPH_END = re.compile(r"\n\s*(?:\n|@[a-zA-Z])")  # or its first tag
_SENTENCE = re.compile(r".*?\w.*?(?:[.!?][\"')\]]*(?= [^a-z]|\Z)|[\u3002\uff01\uff1f]|\Z)")
_LONGEST_SENTENCE = 200
_LOOKED_AT = 2000
"""Characters of a doc that are looked at for its first sentence."""


def format_chunk_with_context(text: str, context: ChunkContext, overlap_text: str | None = None) -> str:
    """Put a header made of the context in front of a chunk's text.

    The header has the last three parts of the path, the scope, the signatures of what is defined here, the
    imported names that are used, and the neighbours; a line with nothing to say is left out.

    Args:
        text: The chunk's text; blank lines at its end are left out.
        context: What the header says; nothing else is looked up.
        overlap_text: The end of the previous chunk, set off by ``# ...`` and ``# ---``.

    Returns:
        The header, an empty line, the overlap, and the text.

    Raises:
        TypeError: An argument has the wrong type.

    Example:
        >>> context = ChunkContext("src/a.py", "python", scope=(EntityInfo("Jar", "class", "class Jar"),))
        >>> print(format_chunk_with_context("    def full(self): ...", context))
        # src/a.py
        # Scope: Jar
        <BLANKLINE>
            def full(self): ...
    """
    for name, value, kinds in (
        ("text", text, (str,)),
        ("context", context, (ChunkContext,)),
        ("overlap_text", overlap_text, (str, type(None))),
    ):
        if not isinstance(value, kinds):
            raise TypeError(f"{name} must be {kinds[0].__name__}, not {type(value).__name__}")
    return format_chunk(text, context, before=overlap_text)


def format_chunk(
    text: str,
    context: ChunkContext,
    *,
    before: str | None = None,
    after: str | None = None,
    style: ContextFormat = "labels",
    is_minimal: bool = False,
    about: str = "",
) -> str:
    """Put header, overlap and text together.

    ``after`` is what the next chunk starts with; ``about`` documents the scope. A minimal header of labels
    has more to search by: the parts of the names, and what the scope is about.
    """
    if style == "ancestry":
        header = _ancestry(context)
    else:
        header = _labels(context)
        if is_minimal:
            header += _search_terms(context, about)
    lines = ["# " + "\n# ".join(header), ""] if header else []
    if before:
        lines += ["# ...", without_trailing_blank_lines(before), "# ---"]
    lines.append(without_trailing_blank_lines(text))
    if after:
        lines += ["# ---", without_trailing_blank_lines(after), "# ..."]
    return "\n".join(lines)


def without_trailing_blank_lines(text: str) -> str:
    """Return the text up to the end of its last line that is not blank."""
    if text[-1:] > " ":
        return text
    kept = text.rstrip(BLANK)
    line_end = text.find("\n", len(kept))
    if line_end < 0:
        return text
    return text[:line_end].removesuffix("\r")


@lru_cache(maxsize=16)
def _path(filepath: str) -> tuple[str, ...]:
    """The line that says where a file is; none when it has no name."""
    parts = [part for part in re.split(r"[/\\]", filepath) if part]
    return ("/".join(parts[-_PATH_PARTS:]).replace("\r", " ").replace("\n", " "),) if parts else ()


def _labels(context: ChunkContext) -> list[str]:
    lines = [*_path(context.filepath)]
    if context.scope:
        lines.append("Scope: " + " > ".join([entity.name for entity in reversed(context.scope)]))
    defined = [
        entity.signature or entity.name for entity in context.entities if entity.type not in _NOT_DEFINED
    ]
    if defined:
        lines.append("Defines: " + ", ".join(defined))
    if context.uses:
        lines.append("Uses: " + ", ".join(context.uses[:_USES]))
    if context.siblings:
        before = [sibling.name for sibling in context.siblings if sibling.position == "before"]
        after = [sibling.name for sibling in context.siblings if sibling.position == "after"]
        if before:
            lines.append("After: " + ", ".join(before))
        if after:
            lines.append("Before: " + ", ".join(after))
    return lines


def _search_terms(context: ChunkContext, about: str) -> list[str]:
    """What people and models ask with: the parts of names as words, each once, and a sentence."""
    names = [entity.name for entity in reversed(context.scope)]
    names += [entity.name for entity in context.entities if entity.type not in _NOT_DEFINED]
    parts = dict.fromkeys(part.lower() for name in names for part in _PART.findall(name))
    lines = ["Names: " + " ".join(parts)] if parts else []
    sentence = _first_sentence(about)
    if sentence:
        lines.append(f"About: {sentence}")
    return lines


def _first_sentence(doc: str) -> str:
    """The first sentence of the first paragraph, on one line; nothing of a doc that begins with a tag."""
    start = doc[:_LOOKED_AT].lstrip(BLANK)
    paragraph = "" if start.startswith("@") else _PARAGRAPH_END.split(start, maxsplit=1)[0]
    sentence = _SENTENCE.match(" ".join(paragraph.split()))
    if sentence is None:
        return ""
    if len(sentence[0]) <= _LONGEST_SENTENCE:
        return sentence[0]
    return sentence[0][: _LONGEST_SENTENCE - 1].rstrip() + "…"


def _ancestry(context: ChunkContext) -> list[str]:
    lines = [*_path(context.filepath)]
    for depth, entity in enumerate(reversed(context.scope)):
        lines.append("  " * depth + (entity.signature or entity.name))
    return lines
