"""Takes documentation out of comments and string literals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ._signature import decoded

if TYPE_CHECKING:
    from .languages import DocRules

# Letters other than these make a literal that documents nothing: it is interpolated, or holds bytes.
_OPENING = re.compile(r'[rRuU]{0,2}("""|\'\'\'|"|\')')
_LITERAL = re.compile(r'[rRuU]{0,2}("""|\'\'\'|"|\')((?:\\.|(?!\1).)*)\1', re.DOTALL)
_BETWEEN = re.compile(r"(?:\s|\\\n|#[^\n]*)*")
_INDENTATION = re.compile(r"\n([^\S\n]*)\S")
_FIRST_LITERAL = re.compile(r'r(#*)"(.*?)"\1|"((?:\\.|[^"\\])*)"', re.DOTALL)


Lead = tuple[int, int, bool, bool, bool]
"""A comment or an attached node that may stand in front of a definition: its end and start, whether it is
attached, may be a doc, is a comment. A plain tuple, since there are more of these than of anything else."""


def literal_doc(text: str) -> str | None:
    """The documentation in one string literal, or in several that are joined; escapes stay as written."""
    opening = _OPENING.match(text)
    if opening is None:
        return None
    mark = opening[1]
    if text.find(mark, opening.end()) == len(text) - len(mark):  # one literal without escaped quotes
        return _cleaned(text[opening.end() : -len(mark)])
    parts, position = [], 0
    while position < len(text):
        literal = _LITERAL.match(text, position)
        if literal is None:
            return None
        parts.append(literal[2])
        between = _BETWEEN.match(text, literal.end())
        position = between.end() if between else literal.end()
    return _cleaned("".join(parts))


def comment_doc(leads: list[Lead], source: bytes, rules: DocRules) -> str | None:
    """The documentation nearest to a definition, of the comments in front of it, the nearest first."""
    lines: list[str] = []
    for end, start, _, _, is_comment in leads:
        text = decoded(source[start:end])
        if not is_comment:
            found = _FIRST_LITERAL.search(text)
            if found:
                lines.append(found[2] or found[3] or "")
        elif rules.ignore and rules.ignore.match(text):
            continue
        elif rules.line and (marker := rules.line.match(text)):
            lines.append(text[marker.end() :])
        elif rules.block and (marker := rules.block.match(text)):
            if lines:
                break
            block = _block(text[marker.end() :], rules)
            if not (rules.header and rules.header.search(block)):
                return block or None
    # The empty line in front lets the first line take part in finding the common indentation.
    doc = _cleaned("\n" + "\n".join(reversed(lines)))
    return None if doc is None or (rules.header and rules.header.search(doc)) else doc


def _block(text: str, rules: DocRules) -> str:
    if rules.block_end:
        for found in rules.block_end.finditer(text, text.rfind("\n") + 1):
            if found.end() == len(text):
                text = text[: found.start()]
                break
    if rules.margin:
        text = rules.margin.sub("\n", text)
    return (_cleaned(text) or "").rstrip()


def _cleaned(text: str) -> str | None:
    """Do what ``inspect.cleandoc`` does, in less time."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    text = text.expandtabs()
    if "\n" not in text:
        return text.lstrip() or None
    first, line_end, rest = text.partition("\n")
    margin = min(map(len, _INDENTATION.findall(text)), default=0)
    if margin:
        rest = "\n".join([line[margin:] for line in rest.split("\n")])
    text = (first.lstrip() + line_end + rest).strip("\n")
    return text if text and not text.isspace() else None
