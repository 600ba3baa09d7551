"""Checks a package offline: the file itself, what its members say of each other, and the signature beside it."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from crawler.package.contents import installation_key, problems_of_contents
from crawler.package.detached import Detached, read_detached
from crawler.package.layout_check import Checked, LayoutCheck
from crawler.package.members import MOST_BYTES
from crawler.package.signatures import BadSignature


def check_package(path: Path, *, signature: bytes | None = None) -> Checked:
    """Check the package in a file, and that `signature`, the content of its .sig.json, is of this file.

    Reads the file twice in blocks. Raises OSError if it cannot be read.
    """
    with path.open("rb") as file:
        checked = Checked(hashlib.file_digest(file, "sha256").digest(), file.tell())
        if checked.size > MOST_BYTES:
            checked.add(None, f"the file has more than {MOST_BYTES:,} bytes")
        else:
            layout = LayoutCheck(file, checked)
            layout.check()
            _check_contents(checked, layout)
    if signature is not None:
        _check_detached(checked, signature)
    return checked


def _check_contents(checked: Checked, layout: LayoutCheck) -> None:
    if checked.problems or checked.manifest is None:
        return
    for problem in problems_of_contents(checked.manifest, layout.kept, layout.signed_by):
        checked.add(problem.member, problem.message)
    if not checked.problems:
        checked.signed_by = installation_key(layout.kept, layout.signed_by)


def _check_detached(checked: Checked, signature: bytes) -> None:
    try:
        detached = read_detached(signature)
    except BadSignature as error:
        checked.add(None, f"the detached signature does not hold: {error}")
        return
    for problem in _differences(checked, detached):
        checked.add(None, problem)
    checked.is_whole_signed = detached.of.sha256 == checked.sha256


def _differences(checked: Checked, detached: Detached) -> Iterator[str]:
    of, manifest = detached.of, checked.manifest
    if (of.sha256, of.size) != (checked.sha256, checked.size):
        yield f"it is not the file that was signed: that has {of.size:,} bytes and SHA-256 {of.sha256.hex()}"
    elif manifest is not None and of.name != f"{manifest.name}.wacz":
        yield f"the detached signature names another file: {of.name[:200]!a}"
    if checked.signed_by is not None and checked.signed_by != detached.public:
        yield "the detached signature is by another key than the package"
