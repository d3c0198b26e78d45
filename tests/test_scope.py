"""Nesting of entities."""

from __future__ import annotations

from code_chunk._extract import Entity
from code_chunk._scope import nest


def entity(name: str, kind: str, start: int, end: int, **more: object) -> Entity:
    if kind == "constant":
        more.setdefault("max_depth", 0)
    return Entity(name, kind, start, end, 0, 0, "", **more)  # type: ignore[arg-type]


def outline(*entities: Entity) -> list[str]:
    found = []
    for each in nest(list(entities)):
        parent = f" in {each.parent.name}" if each.parent else ""
        found.append(f"{each.type} {each.name}{parent}")
    return found


def test_a_function_in_a_type_is_a_method() -> None:
    """Class, interface, enum and type have methods."""
    for kind in ("class", "interface", "enum", "type"):
        assert outline(entity("A", kind, 0, 9), entity("f", "function", 2, 5)) == [
            f"{kind} A",
            "method f in A",
        ]


def test_a_function_elsewhere_stays_one() -> None:
    """Functions, modules and constants have local functions."""
    for kind in ("function", "method", "module", "constant"):
        assert outline(entity("A", kind, 0, 9), entity("f", "function", 2, 5)) == [
            f"{kind} A",
            "function f in A",
        ]


def test_the_next_enclosing_entity_decides() -> None:
    """A function in a method is a function, though there is a class around."""
    found = outline(entity("A", "class", 0, 9), entity("m", "function", 1, 8), entity("f", "function", 2, 5))
    assert found == ["class A", "method m in A", "function f in m"]


def test_neighbours_do_not_nest() -> None:
    """An entity that begins where another ends is its sibling."""
    assert outline(entity("a", "function", 0, 5), entity("b", "function", 5, 9)) == [
        "function a",
        "function b",
    ]


def test_equal_ranges_do_not_nest() -> None:
    """Two names of one declaration are siblings."""
    assert outline(entity("a", "type", 0, 5), entity("b", "type", 0, 5)) == ["type a", "type b"]


def test_an_inner_entity_may_end_where_the_outer_does() -> None:
    """So does the last function of a Python class."""
    assert outline(entity("A", "class", 0, 9), entity("f", "function", 4, 9)) == ["class A", "method f in A"]


def test_imports_and_exports_enclose_nothing() -> None:
    """What stands inside of them hangs on what is around them."""
    found = outline(entity("e", "export", 0, 9), entity("i", "import", 1, 8), entity("f", "function", 2, 5))
    assert found == ["export e", "import i", "function f"]


def test_constants_are_kept_in_modules_only() -> None:
    """A constant of a class or function is dropped."""
    found = outline(
        entity("M", "module", 0, 99),
        entity("KEPT", "constant", 1, 5),
        entity("f", "function", 6, 50),
        entity("DROPPED", "constant", 7, 9),
    )
    assert found == ["module M", "constant KEPT in M", "function f in M"]


def test_a_constant_in_a_constant_is_dropped() -> None:
    """Only modules may stand around a constant."""
    assert outline(entity("A", "constant", 0, 9), entity("B", "constant", 2, 5)) == ["constant A"]


def test_methods_of_a_dropped_constant_are_dropped() -> None:
    """A local object's methods are no entities, but functions in them are."""
    found = outline(
        entity("f", "function", 0, 99),
        entity("object", "constant", 1, 90),
        entity("m", "method", 2, 80),
        entity("g", "function", 3, 70),
    )
    assert found == ["function f", "function g in f"]


def test_methods_of_a_kept_constant_are_kept() -> None:
    """The object is their parent."""
    found = outline(entity("object", "constant", 0, 90), entity("m", "method", 2, 80))
    assert found == ["constant object", "method m in object"]


def test_a_named_scope_keeps_a_method() -> None:
    """A method with a receiver does not belong to the constant around it."""
    found = outline(
        entity("f", "function", 0, 99),
        entity("local", "constant", 1, 90),
        entity("m", "method", 2, 80, scope_name="X"),
    )
    assert found == ["function f", "method m in f"]


def test_max_depth_counts_what_is_no_module() -> None:
    """A setting of the query may allow constants in a type, or forbid functions in one."""
    found = outline(
        entity("M", "module", 0, 99),
        entity("A", "class", 1, 90),
        entity("LIMIT", "constant", 2, 5, max_depth=1),
        entity("B", "class", 6, 80),
        entity("DEEP", "constant", 7, 9, max_depth=1),
        entity("lambda", "function", 10, 12, max_depth=0),
    )
    assert found == ["module M", "class A in M", "constant LIMIT in A", "class B in A"]


def test_crossing_ranges_become_neighbours() -> None:
    """They do not occur, and must not break anything."""
    assert outline(entity("a", "class", 0, 5), entity("b", "class", 3, 9)) == ["class a", "class b"]
