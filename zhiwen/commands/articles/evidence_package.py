"""`evidence check-package`: a package of a case, checked without a database and without a network."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from zhiwen.output.terminal import fail, json_option, print_json, say

if TYPE_CHECKING:
    from crawler.package.layout_check import Checked

_SIGNATURE: Final = ".sig.json"
_EXISTING: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("check-package")
@click.argument("file", type=_EXISTING)
@click.option(
    "--signature", type=_EXISTING, help="Signature of the whole file; FILE.sig.json by default, if it is there."
)
@click.option("--key", "expected", metavar="ID", help="Id of the key that must have signed, as its owner publishes it.")
@json_option
def check_package(file: Path, *, signature: Path | None, expected: str | None, as_json: bool) -> None:
    """Check an evidence package (WACZ) offline, and name the files in it that were changed."""
    from crawler.evidence.signing_keys import key_id  # noqa: PLC0415  # only where needed
    from crawler.package.check import check_package as check  # noqa: PLC0415
    from crawler.package.detached import MOST_BYTES  # noqa: PLC0415

    beside = file.with_name(f"{file.name}{_SIGNATURE}")
    signature = signature or (beside if beside.is_file() else None)
    try:
        signed = None
        if signature is not None:
            with signature.open("rb") as opened:
                signed = opened.read(MOST_BYTES + 1)
        found = check(file, signature=signed)
    except OSError as error:
        fail(f"Cannot read {error.filename}: {error.strerror}.")
    key = None if found.signed_by is None else key_id(found.signed_by)
    if expected is not None and key is not None and key != expected.strip().lower():
        found.add(None, f"it is signed by the key {key}, and not by {expected.strip()[:80]}")
    if as_json:
        print_json(_shape(found, key))
    else:
        _say(found, key)
    if found.problems:
        fail(f"{file}: {len(found.problems)} problems. Do not rely on this package.")
    whole = "The file is the one that was signed" if found.is_whole_signed else "The package is unchanged"
    say(f"{whole}: {len(found.manifest.listed) if found.manifest else 0} files.")


def _say(found: "Checked", key: str | None) -> None:
    for problem in found.problems:
        say(str(problem))
    click.echo(f"sha256 {found.sha256.hex()}")
    if key is not None and found.manifest is not None:
        click.echo(f"key {key}")
        say(f"{found.manifest.name}, made at {found.manifest.written} by its own clock.")
        say("Compare the key with the id that the owner of the installation publishes (zhiwen evidence key).")
    if not found.is_whole_signed and not found.problems:
        say("No signature of the whole file was given (--signature): the files in it are signed by the package's key.")


def _shape(found: "Checked", key: str | None) -> dict[str, object]:
    return {
        "sha256": found.sha256.hex(),
        "bytes": found.size,
        "name": None if found.manifest is None else found.manifest.name,
        "created": None if found.manifest is None else found.manifest.written,
        "files": None if found.manifest is None else len(found.manifest.listed),
        "key": key,
        "is_whole_signed": found.is_whole_signed,
        "problems": [{"member": one.member, "message": one.message} for one in found.problems],
    }
