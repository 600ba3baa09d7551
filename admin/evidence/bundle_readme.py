"""The README of a bundle or package: both languages, Chinese first, and what is missing."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from admin.evidence.dossier import Dossier
from admin.evidence.labels import CAPTURE_STATES
from admin.web.rendering.invisible_characters import marked

_FOLDER: Final = Path(__file__).parents[1] / "templates/evidence"
_LANGUAGES: Final = ("zh", "en")


def readme_text(dossier: Dossier, missing: Sequence[str], *, template: str, made: str, **more: str) -> str:
    """The text of the README. `missing`: what the file lacks, a line each; `made`: time of creation with its zone.

    `template`: the first part of the names of its texts; `more`: further placeholders in them.
    """
    head = None if dossier.head is None else str(dossier.head)
    known = {
        "case": dossier.case.id,
        "ours": _line(dossier.our_page.url),
        "copier": _line(dossier.case.other_name),
        "made": made,
        "by": _line(dossier.made_by),
        "head": head or "—",
        "pages": len(dossier.copies),
        "kept": sum(copy.found.evidence.is_kept for copy in dossier.copies),
        "expect": f" --expect {head}" if head else "",
    }
    texts = [(_FOLDER / f"{template}.{language}.txt").read_text("utf-8") for language in _LANGUAGES]
    parts = [text.format_map(known | more) for text in texts]
    missing = [*_uncaptured(dossier), *missing]
    if dossier.copies_left_out:
        missing = [f"{dossier.copies_left_out} further pages of the case", *missing]
    if missing:
        lines = "\n".join(f"* {line}" for line in missing)
        parts.append(f"未包含的内容 / Not in this bundle\n---------------------------------\n{lines}\n")
    return "\n\n".join(parts)


def _uncaptured(dossier: Dossier) -> list[str]:
    """Copies without a captured response, and why."""
    return [
        f"a capture of {_line(copy.page.url)}: {CAPTURE_STATES[copy.found.evidence.state]}"
        + (f" ({copy.found.evidence.refusal})" if copy.found.evidence.refusal else "")
        for copy in dossier.copies
        if not copy.found.evidence.is_kept
    ]


def _line(text: str) -> str:
    """`text` on one line, with hidden characters marked: the README holds instructions that people follow."""
    return marked(" ".join(text.split()))
