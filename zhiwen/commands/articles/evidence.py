"""`evidence`: archived responses of pages, and the proof that they are unchanged."""

from collections.abc import Collection
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from crawler.evidence.record_files import EvidenceFolder
from storage.engine import transaction
from storage.evidence import chain_store as stored
from storage.evidence.hash_chain import folder_of
from storage.records.evidence import EvidenceRule, Head, Keep
from storage.sites import sites
from zhiwen.commands.articles.evidence_package import check_package
from zhiwen.commands.articles.witnesses import say_witnesses, shape_of_witnesses, witness, witnesses
from zhiwen.output.terminal import (
    RenamedOptions,
    ValueOf,
    fail,
    json_option,
    print_json,
    print_records,
    say,
    store,
    store_session,
)
from zhiwen.wiring import capturer_of

if TYPE_CHECKING:
    from pathlib import Path

    from crawler.evidence.page_capture import CapturedPage, Capturer
    from crawler.evidence.verify import Verified
    from crawler.witnesses.verification import VerifiedWitnesses
    from storage.evidence.timestamps import StampRecord
    from storage.records.evidence import EvidenceEntry

MOST_NAMED = 50
MOST_DAYS = 36_500
"""As of a licence; `--forever` is longer."""
MEGABYTE = 1_000_000


@click.group()
def evidence() -> None:
    """Verify, list, capture and prune archived page evidence."""


evidence.add_command(witness)
evidence.add_command(witnesses)
evidence.add_command(check_package)


@evidence.command()
@click.option("--expect", metavar="NUMBER:HASH", help="Head noted earlier: detects that later entries were removed.")
@click.option("--all-folders", is_flag=True, help="Report files that only other machines keep as missing.")
@json_option
def verify(*, expect: str | None, all_folders: bool, as_json: bool) -> None:
    """Verify offline that no entry or file was changed, removed or reordered."""
    from crawler.evidence.verify import verify as verify_all  # noqa: PLC0415  # only where needed
    from crawler.witnesses.verification import verify_witnesses  # noqa: PLC0415

    noted = None if expect is None else _head(expect)
    problems: list[str] = []
    with store() as (settings, engine), transaction(engine) as session:
        folder = EvidenceFolder(settings.home)
        seen = verify_all(
            session,
            folder,
            expected=noted,
            all_folders=all_folders,
            on_problem=lambda problem: _add(problems, str(problem)),
        )
        witnessed = verify_witnesses(session, on_problem=lambda problem: _add(problems, str(problem)))
    seen.problems += witnessed.problems
    if as_json:
        print_json(_shape_of_result(seen, witnessed, problems, folder.names()))
    else:
        _say_result(seen, witnessed, problems)
    if seen.problems:
        fail(f"The evidence was changed: {seen.problems} problems.")
    say("The evidence on this machine is unchanged." if seen.elsewhere else "The evidence is unchanged.")


def _shape_of_result(
    seen: "Verified", witnessed: "VerifiedWitnesses", problems: list[str], folder_names: Collection[str]
) -> dict[str, Any]:
    counts = ("entries", "files", "removed", "left_over", "unnamed", "texts", "texts_gone", "stamps", "problems")
    head = None if seen.head is None else str(seen.head)
    stamped = None if seen.stamped is None else _shown_stamp(seen.stamped)
    proofs = {name: getattr(seen.proofs, name) for name in ("answers", "proved", "recorded", "unread")}
    more = {"head": head, "stamped": stamped, "first_problems": problems, **proofs}
    more["witnesses"] = shape_of_witnesses(witnessed)
    more |= {"folders": folder_names, "elsewhere": dict(seen.elsewhere)}
    return {name: getattr(seen, name) for name in counts} | more


def _say_result(seen: "Verified", witnessed: "VerifiedWitnesses", problems: list[str]) -> None:
    say(
        f"{seen.entries} entries, {seen.files} files, {seen.texts} texts. {seen.removed} files and "
        f"{seen.texts_gone} texts were deleted by retention rules; their hashes are kept."
    )
    say(
        f"{seen.proofs.answers} files are responses of their pages; {seen.proofs.proved} contain the stored text, "
        f"{seen.proofs.unread} cannot be unpacked."
    )
    if seen.proofs.recorded:
        say(f"{seen.proofs.recorded} records of captures have valid signatures and all their members.")
    if seen.unnamed:
        say(f"{seen.unnamed} files belong to no entry: storing them was interrupted. They prove nothing.")
    if seen.elsewhere:
        places = ", ".join(f"{name} {count}" for name, count in sorted(seen.elsewhere.items()))
        say(
            f"{seen.elsewhere.total()} files are kept on other machines and were not checked ({places}). Run the "
            "same command there."
        )
    say_witnesses(witnessed)
    for problem in problems:
        say(problem)
    if seen.stamped is not None:
        shown = _shown_stamp(seen.stamped)
        say(f"{shown['authority']} certifies that entries up to {shown['number']} are older than {shown['at']}.")
        say(f"SHA-256 of its root certificate: {', '.join(shown['roots'])}.")
    click.echo("" if seen.head is None else f"head {seen.head}")


@evidence.command()
@json_option
def mismatched(*, as_json: bool) -> None:
    """List pages whose evidence is missing, of another address, or without their text."""
    from crawler.evidence.mismatches import mismatches  # noqa: PLC0415

    with store() as (settings, engine), transaction(engine) as session:
        found = list(mismatches(session, EvidenceFolder(settings.home)))
    if found or as_json:
        columns = ("page", "entry", "problem")
        print_records(found, columns, lambda one: (one.url, one.entry or "", one.problem), as_json=as_json)
    if not as_json:
        remedy = "The entries stay as they are; fetch a page again: zhiwen evidence capture URL"
        say(f"{len(found)} problems. {remedy}" if found else "All pages have evidence of their own.")


def _shown_stamp(stamp: "StampRecord") -> dict[str, Any]:
    from crawler.evidence.timestamps import root_fingerprints  # noqa: PLC0415

    return {
        "number": stamp.head.number,
        "at": stamp.at.isoformat(),
        "authority": stamp.authority,
        "roots": root_fingerprints(stamp.certificates),
    }


@evidence.command("stamp")
def stamp_() -> None:
    """Have the head of the evidence signed by the time stamp authority (ZHIWEN_TIME_STAMP_URL)."""
    from crawler.evidence.timestamps import StampFailed  # noqa: PLC0415  # only where needed
    from zhiwen.worker.timestamping import stamp_head  # noqa: PLC0415

    with store() as (settings, engine):
        try:
            done = stamp_head(settings, engine)
        except StampFailed as error:
            fail(str(error))
    if done is None:
        say("Nothing to stamp: no entry was added since the last time stamp.")
        return
    say(f"{done.authority} stamped the chain up to entry {done.head.number} at {done.at:%Y-%m-%d %H:%M:%S} UTC.")


def _head(written: str) -> Head:
    try:
        return Head.parse(written)
    except ValueError as error:
        raise click.UsageError(
            "--expect must be a number, a colon and 64 hexadecimal digits, as `zhiwen evidence verify` prints them."
        ) from error


def _add(problems: list[str], problem: str) -> None:
    if len(problems) < MOST_NAMED:
        problems.append(problem)


@evidence.command()
@click.option("--new", "renews", is_flag=True, help="Replace the key: the old one signs its successor.")
@json_option
def key(*, renews: bool, as_json: bool) -> None:
    """Show the public key that signs the evidence of this home, and the keys before it."""
    from crawler.evidence import key_announcements, signing_keys  # noqa: PLC0415  # only where needed

    with store() as (settings, engine):
        files, folder = signing_keys.KeyFiles(settings.home), EvidenceFolder(settings.home)
        try:
            own = (key_announcements.renew if renews else key_announcements.signing_key)(engine, files, folder)
        except (signing_keys.KeyUnusable, OSError) as error:
            fail(str(error))
        with transaction(engine) as session:
            ring = key_announcements.key_ring(stored.key_entries(session))
    known = [
        {
            **{"id": one.id, "public": one.public.hex(), "home": one.home, "entry": one.entry},
            **{"at": one.at.isoformat(), "reason": one.reason.value, "replaced_by": ring.replaced_by.get(one.id)},
        }
        for one in ring.keys.values()
    ]
    if as_json:
        print_json({"id": own.id, "pem": signing_keys.public_pem(own.public), "file": str(files.path), "keys": known})
        return
    click.echo(f"key {own.id}")
    click.echo(signing_keys.public_pem(own.public), nl=False)
    for one in known:
        until = "" if one["replaced_by"] is None else f", replaced by entry {one['replaced_by']}"
        say(f"{one['id']}: {one['reason']}, announced in entry {one['entry']} by {one['home']}{until}")
    say(f"The secret key is in {files.path}. Whoever has it can sign as this installation.")


@evidence.command("list")
@click.argument("url")
@json_option
def list_(url: str, *, as_json: bool) -> None:
    """List the evidence of the page at a URL, oldest first."""
    from crawler.urls.canonical import canonical_url  # noqa: PLC0415  # only where needed

    canonical = canonical_url(url)
    with store() as (settings, engine), transaction(engine) as session:
        found = stored.entries_of_url(session, canonical)
    folder = EvidenceFolder(settings.home)

    def file_of(entry: "EvidenceEntry") -> "Path | None":
        return None if entry.record is None or entry.removed_by is not None else folder.file_of(entry.record)

    def shape(entry: "EvidenceEntry") -> dict[str, Any]:
        digests = {name: value.hex() for name, value in asdict(entry).items() if isinstance(value, bytes)}
        return {**asdict(entry), **digests, "file": file_of(entry), "folder": folder_of(entry)}

    def row(entry: "EvidenceEntry") -> tuple[object, ...]:
        file = _place(folder, entry) or file_of(entry) or ("" if entry.record is None else "removed")
        return entry.number, f"{entry.at:%Y-%m-%d %H:%M:%S}", entry.kind, file

    print_records(found, ("entry", "at (UTC)", "kind", "file"), row, as_json=as_json, shape=shape)


def _place(folder: EvidenceFolder, entry: "EvidenceEntry") -> str | None:
    """Where the entry's file is if another machine keeps it."""
    name = folder_of(entry)
    if entry.record is None or entry.removed_by is not None or folder.has(entry.record) or name in folder.names():
        return None
    return None if name is None else f"kept on another machine: {name}"


@evidence.command()
@click.argument("urls", metavar="URL…", nargs=-1, required=True)
@click.option("--screenshot", "with_picture", is_flag=True, help="Also keep a screenshot; needs Chromium.")
@click.option("--record", "records", is_flag=True, help="Also open the pages in Chromium, and keep signed records.")
def capture(urls: tuple[str, ...], *, with_picture: bool, records: bool) -> None:
    """Fetch pages now and archive the responses, with server addresses and certificates."""
    from crawler.browser.screenshot import NoScreenshot  # noqa: PLC0415  # few commands make one
    from crawler.extraction.page_reader import page_reader  # noqa: PLC0415
    from crawler.outcomes.refusals import Refusal  # noqa: PLC0415

    failed = 0
    with store() as (settings, engine), page_reader(settings.time_zone, asks_presence=True) as read_page:
        capturer = capturer_of(settings, engine, read_page)
        for page in capturer.capture_pages(urls):
            failed += page.entry.record is None
            read = f"; no article: {page.outcome}" if isinstance(page.outcome, Refusal) else ""
            say(f"{page.url}: entry {page.entry.number} ({page.entry.kind}){read}")
            if with_picture and page.entry.record is not None:
                try:
                    say(f"{page.url}: entry {capturer.keep_screenshot(page.url).number} (screenshot)")
                except NoScreenshot as error:
                    say(f"{page.url}: no screenshot: {error}.")
            if records and page.entry.record is not None:
                _say_record(capturer, page)
    if failed:
        fail(f"{failed} pages could not be fetched. The evidence records that, too.")


def _say_record(capturer: "Capturer", page: "CapturedPage") -> None:
    from crawler.evidence.recordings.page_recording import PageRecorder, why_not_recorded  # noqa: PLC0415
    from crawler.evidence.signing_keys import KeyUnusable  # noqa: PLC0415

    try:
        entry = PageRecorder(capturer.keeper, capturer.allowed_networks).record(page)
    except KeyUnusable as error:
        fail(str(error))
    say(f"{page.url}: entry {entry.number} ({why_not_recorded(entry) or 'recorded'})")


@evidence.command(cls=RenamedOptions, renamed={"--for-good": "--forever"})
@click.argument("site")
@click.option(
    "--what",
    type=ValueOf(Keep),
    help="raw: whole responses; text: headers, and the article's text in the store; hash: hashes only.",
)
@click.option("--days", type=click.IntRange(0, MOST_DAYS), help="Keep whole responses for so many days; at first, 30.")
@click.option("--forever", is_flag=True, help="Keep whole responses forever.")
def keep(site: str, *, what: Keep | None, days: int | None, forever: bool) -> None:
    """Set what evidence of a site is kept, and for how long. Evidence of cases is always kept."""
    if days is not None and forever:
        raise click.UsageError("Choose one of --days and --forever.")
    with store_session() as session:
        site_id = sites.get_site(session, site).id
        before = stored.rule_of_site(session, site_id)
        kept_days = None if forever else before.raw_days if days is None else days
        rule = EvidenceRule(what or before.keep, kept_days)
        stored.set_rule(session, site_id, rule)
    span = "forever" if rule.raw_days is None else f"for {rule.raw_days} days"
    say(f"Evidence kept of {site}: {rule.keep}{f', {span}' if rule.keep is Keep.RAW else ''}.")


@evidence.command()
def prune() -> None:
    """Delete evidence that the sites' rules and ZHIWEN_EVIDENCE_MAX_GB no longer keep. The chain records it."""
    from crawler.evidence.retention import prune as prune_all  # noqa: PLC0415

    with store() as (settings, engine):
        folder, most_bytes = EvidenceFolder(settings.home), settings.evidence_max_bytes
        done = prune_all(engine, folder, now=datetime.now(UTC), most_bytes=most_bytes)
    say(f"Deleted {done.files + done.left_over} files.")
    if done.too_many_bytes:
        say(f"Evidence that must be kept exceeds ZHIWEN_EVIDENCE_MAX_GB by {done.too_many_bytes / MEGABYTE:,.1f} MB.")
