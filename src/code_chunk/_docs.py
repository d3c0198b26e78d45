"""Finds the comments in front of definitions, and takes documentation out of them and of string literals."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from ._measure import BOM
from ._signature import behind_annotations, decoded

if TYPE_CHECKING:
    from tree_sitter import Node

    from .languages import DocRules, Language

# Letters other than these make a literal that documents nothing: it is interpolated, or holds bytes.
_OPENING = re.compile(r'[rRuU]{0,2}("""|\'\'\'|"|\')')
_LITERAL = re.compile(r'[rRuU]{0,2}("""|\'\'\'|"|\')((?:\\.|(?!\1)[^\\])*+)\1', re.DOTALL)
_BETWEEN = re.compile(r"(?:\s|\\\n|#[^\n]*)*")
_INDENTATION = re.compile(r"\n([^\S\n]*)\S")
_LINE_END = 10
_FIRST_LITERAL = re.compile(r'r(#*)"(.*?)"\1|"((?:\\.|[^"\\])*)"', re.DOTALL)


Lead = tuple[int, int, bool, bool, bool]
"""A comment or an attached node that may stand in front of a definition: its end and start, whether it is
attached, may be a doc, is a comment. A plain tuple, since there are more of these than of anything else."""


@dataclass(slots=True)
class Leads:
    """The leads of a slice; positions are those of the slice."""

    source: bytes = b""
    column: int = 0
    places: list[Lead] = field(default_factory=list)
    """By position."""
    ends: list[int] = field(default_factory=list)


def collect_leads(docs: list[Node], attached: list[Node], source: bytes, column: int) -> Leads:
    """Comments and attached nodes by position; one node may be both."""
    leads: list[Lead] = []
    places = {node.byte_range for node in attached}
    for node in docs:
        place = start, end = node.byte_range
        if source[end - 1] in b"\r\n":
            end = _text_end(start, end, source)
        is_attached = bool(places) and place in places
        if is_attached:
            places.remove(place)
        leads.append((end, start, is_attached, True, node.is_extra))
    leads += [(_text_end(start, end, source), start, True, False, False) for start, end in places]
    leads.sort()
    return Leads(source, column, leads, [lead[0] for lead in leads])


def _text_end(start: int, end: int, source: bytes) -> int:
    """Where a node ends without line ends: Rust's line docs hold theirs."""
    return start + len(source[start:end].rstrip()) if source[end - 1] in b"\r\n" else end


def lead_of(leads: Leads, node: Node, language: Language, inner: int) -> tuple[int, list[Lead]]:
    """Where a definition starts, attached nodes in front included, and its doc comments, nearest first.

    ``inner`` is a place in it, in front of which no other definition ends.
    """
    source, places = leads.source, leads.places
    docs: list[Lead] = []
    start = below = node.start_byte
    index = bisect_right(leads.ends, inner) - 1
    if index >= 0 and places[index][0] > start:
        index = bisect_right(leads.ends, start) - 1
        if language.annotations:
            docs = _inner_docs(leads, node, language, index + 1)
    touches = True
    while index >= 0:
        lead = end, lead_start, is_attached, is_doc, _ = places[index]
        if lead_start < below:  # else inside the attached node that came before
            gap = source[end:below] if below - end <= 64 else source[below - 64 : below]
            if gap.strip():  # the near end first, to be fast
                break
            if below - end > 64:
                gap = source[end:below]
                if gap.strip():
                    break
            line_ends = gap.count(b"\n")
            if line_ends and not is_attached and _trails(leads, index):
                break
            if is_attached:
                start, touches = lead_start, True
            elif line_ends > 1:
                touches = False
            if touches and is_doc:
                docs.append(lead)
            below = lead_start
        index -= 1
    return start, docs


def _inner_docs(leads: Leads, node: Node, language: Language, first: int) -> list[Lead]:
    """The doc comments between a definition's annotations, nearest first; ``first`` is its first lead."""
    leaf, comments = behind_annotations(node, language)
    inside = leads.places[first : bisect_right(leads.ends, leaf, first)]
    return [lead for lead in reversed(inside) if lead[1] in comments and lead[3]]


def _trails(leads: Leads, index: int) -> bool:
    """Whether a comment follows something on its line that is neither a comment nor an attached node."""
    source, start = leads.source, leads.places[index][1]
    if start > len(BOM) and source[start - 1] == _LINE_END:  # as most do
        return False
    line = source.rfind(b"\n", 0, start) + 1
    if source.startswith(BOM, line):  # at the start of the file
        line += len(BOM)
    while source[line:start].strip() or (line <= len(BOM) and leads.column):
        index -= 1
        end, lead_start = leads.places[index][:2] if index >= 0 else (0, 0)
        if end <= line or source[end:start].strip():
            return True
        start = lead_start
    return False


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
    ignore, line, opening = rules.ignore, rules.line, rules.block
    for end, start, _, _, is_comment in leads:
        text = decoded(source[start:end])
        if not is_comment:
            found = _FIRST_LITERAL.search(text)
            if found:
                lines.append(found[2] or found[3] or "")
        elif ignore and ignore.match(text):
            continue
        elif line and (marker := line.match(text)):
            lines.append(text[marker.end() :])
        elif opening and (marker := opening.match(text)):
            if lines:
                break
            block = _block(text[marker.end() :], rules)
            if not (rules.header and rules.header.search(block)):
                return block or None
    if not lines:
        return None
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
        bare, count = _margin_and_space(rules.margin.pattern).subn("\n", text)
        # A space is to be taken off all the lines or none; a tab's width depends on what stands in front.
        is_usual = count == text.count("\n") and "\t" not in bare
        text = bare if is_usual else rules.margin.sub("\n", text)
    return (_cleaned(text) or "").rstrip()


@cache
def _margin_and_space(margin: str) -> re.Pattern[str]:
    """What most comments have in front of each line: to find their common indentation takes much longer."""
    behind = margin.removeprefix(r"\n")  # a pattern that begins with a literal is found much faster
    return re.compile(rf"\n(?>{behind})(?: |(?=\n|\Z))")


def _cleaned(text: str) -> str | None:
    """Do what ``inspect.cleandoc`` does, in less time."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if "\t" in text:
        text = text.expandtabs()
    if "\n" not in text:
        return text.lstrip() or None
    first, line_end, rest = text.partition("\n")
    indentation = _INDENTATION.search(text)
    if indentation and indentation[1]:
        margin = min(map(len, _INDENTATION.findall(text)))
        rest = "\n".join([line[margin:] for line in rest.split("\n")])
    text = (first.lstrip() + line_end + rest).strip("\n")
    return text if text and not text.isspace() else None
