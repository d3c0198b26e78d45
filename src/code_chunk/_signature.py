"""Folds a definition's header to one line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ._parse import children_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from .languages import Language


MAX_LENGTH = 1000
_MAX_BYTES = 8192  # that are looked at: enough for a signature of the full length

# Only literal alternatives in both: the regex engine finds them much faster than a mixture with classes.
# Without one of these a header is one line without comments and annotations, and needs no work.
_SIGN = re.compile(rb"\n|\r|\t|\f|\v|@|#|  |/\*|\(\*|\{-|--\[")
# Without one of these there is no literal, comment or annotation in many lines either, whatever the language:
# only the blanks are to be folded.
_RISK = re.compile(rb"'|\"|`|#|@|/|\\|%|!|;|\(\*|\{-|--")
# With escapes, else without: no part of it can be read in two ways, which could take for ever.
_LITERAL = re.compile(
    rb"[A-Za-z]{0,3}#*(\"\"\"|'''|[\"'`])(?:(?:\\.|(?!\1)[^\\])*+|(?:(?!\1).)*+)\1#*", re.DOTALL
)
_BLANKS = re.compile(r"\s+")


def decoded(text: bytes) -> str:
    try:
        return text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:  # the grammar's lexer may stop inside a lone surrogate
        return text.decode("utf-8", "ignore")


def text_of(source: bytes, node: Node) -> str:
    return decoded(source[node.start_byte : node.end_byte])


def signature(node: Node, end: int, source: bytes, language: Language, prefix: str = "") -> str:
    """The text of a node up to `end` in one line, without comments, annotations and what opens the body."""
    start = node.start_byte
    is_short = end - start <= _MAX_BYTES
    header = source[start : end if is_short else start + _MAX_BYTES].rstrip()
    if _SIGN.search(header) is None:
        return _finished(prefix + decoded(header))
    if is_short:
        if header.startswith((b"@", b"[")):
            header = source[behind_annotations(node, language)[0] : end]
        if _RISK.search(header) is None and not node.has_error:
            return _finished(prefix + " ".join(decoded(header).split()))
    return _finished(prefix + _folded(node, end, source, language.annotations | language.attach))


def behind_annotations(node: Node, language: Language) -> tuple[int, set[int]]:
    """Where the first leaf starts that is no annotation, comment or error; the comments and errors before it.

    Of those the starts are given, and of them only what stands between the annotations, not inside of one.
    """
    comments: set[int] = set()
    cursor = node.walk()
    while found := cursor.node:
        if found.is_extra:
            comments.add(found.start_byte)
        if found.is_extra or found.type in language.annotations or found.type in language.attach:
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return found.start_byte, comments
        elif not cursor.goto_first_child():
            return found.start_byte, comments
    return node.start_byte, comments


def _finished(text: str) -> str:
    whole = text.strip()
    text = whole.rstrip(" =:{;")
    if text.endswith("=>"):
        text = text[:-2].rstrip()
    text = text or whole
    return text if len(text) <= MAX_LENGTH else text[: MAX_LENGTH - 1] + "…"


def _folded(node: Node, end: int, source: bytes, dropped: frozenset[str]) -> str:
    limit = min(end, node.start_byte + _MAX_BYTES)
    result, position, is_cut = "", node.start_byte, False
    risk = -1  # where the next sign of something to leave out or to keep is
    stack = [node]
    while stack:
        current = stack.pop()
        start, stop = current.start_byte, current.end_byte
        if start >= limit:
            break
        is_dropped = current.type in dropped or (current.is_extra and _is_aside(current))
        if not is_dropped:
            if risk < start:
                found = _RISK.search(source, start, limit)
                risk = found.start() if found else limit
            if stop <= risk and not current.has_error:
                continue
            if stop - start > _MAX_BYTES or _LITERAL.fullmatch(source, start, stop) is None:
                stack.extend(reversed(children_of(current)))
                continue
        result = _joined(result, _BLANKS.sub(" ", decoded(source[position:start])), is_cut)
        if not is_dropped:
            result += " ".join(filter(None, map(str.strip, decoded(source[start:stop]).splitlines())))
        position, is_cut = stop, is_dropped
        limit = max(limit, min(end, stop + _MAX_BYTES - len(result)))
    result = _joined(result, _BLANKS.sub(" ", decoded(source[position:limit])), is_cut)
    return result if limit == end else result + " …"


def _is_aside(extra: Node) -> bool:
    """Comments are left out, and of errors those that may have swallowed the body."""
    return not extra.is_error or extra.start_point[0] < extra.end_point[0]


def _joined(left: str, right: str, is_cut: bool) -> str:
    """Put two parts together, between which something may have been cut out."""
    if not is_cut or not left or not right:
        return left + (right.lstrip() if is_cut else right)
    before, after = left.rstrip(), right.lstrip()
    if after.startswith((",", ";")) or left.endswith(("(", "[", "<")):
        return before + after
    if right.startswith((")", "]", ">")):
        return before + right
    is_parted = left != before or right != after or (before[-1:] + after[:1]).isalnum()
    return f"{before} {after}" if is_parted else left + right
