"""The tables of required elements and statements in docs/letters.md are those of the code."""

from pathlib import Path

from admin.letters.signing import SIGNATURE_SOURCES, SOURCES, WORDINGS
from admin.notices.elements import ELEMENTS, TITLES, Element

PAGE = Path(__file__).resolve().parents[2] / "docs/letters.md"


def elements_table() -> str:
    rows = ["| form | element | source |", "|---|---|---|"]
    for form, elements in ELEMENTS.items():
        rows += [f"| `{form}` | {TITLES[form]} | |", *(f"| | {_name(one)} | {one.source} |" for one in elements)]
    return "\n".join(rows)


def _name(element: Element) -> str:
    label = element.label.format(who="权利人")
    if not element.is_required:
        label = f"({label})"
    return f"{label} (agent)" if element.is_of_agent else label


def statements_table() -> str:
    rows = ["| form | statement | source |", "|---|---|---|"]
    for form, wordings in WORDINGS.items():
        rows += [f"| `{form}` | {words} | {law} |" for words, law in zip(wordings, SOURCES[form], strict=True)]
        if form in SIGNATURE_SOURCES:
            rows.append(f"| `{form}` | signature by name | {SIGNATURE_SOURCES[form]} |")
    return "\n".join(rows)


def test_the_documentation_has_the_tables_of_the_code() -> None:
    page = PAGE.read_text("utf-8")

    assert elements_table() in page
    assert statements_table() in page
