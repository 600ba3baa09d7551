"""`evidence`: what was kept of the pages, and the proof that it is as it was."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from storage.engine import transaction
from storage.evidence import chain_store as stored
from storage.records.evidence import EvidenceRule, Head, Keep
from storage.sites import sites
from zhiwen.output.terminal import fail, json_option, print_json, print_table, reporting_errors, say, store

if TYPE_CHECKING:
    from storage.evidence.timestamps import StampRecord

MOST_NAMED = 50
MEGABYTE = 1_000_000


@click.group()
def evidence() -> None:
    """Evidence: what servers answered, as it was sent, and the proof that nothing of it was changed since."""


@evidence.command()
@click.option("--expect", metavar="NUMBER:HASH", help="A head noted earlier: shows whether the end was cut off since.")
@json_option
@reporting_errors
def verify(*, expect: str | None, as_json: bool) -> None:
    """Prove, without any network, that nothing was changed, dropped or reordered."""
    from crawler.evidence.record_files import EvidenceFolder  # noqa: PLC0415  # only where needed
    from crawler.evidence.verify import verify as verify_all  # noqa: PLC0415

    noted = None if expect is None else _head(expect)
    problems: list[str] = []
    with store() as (settings, engine), transaction(engine) as session:
        folder = EvidenceFolder(settings.home)
        seen = verify_all(session, folder, expected=noted, on_problem=lambda problem: _add(problems, str(problem)))
    if as_json:
        counts = ("entries", "files", "removed", "left_over", "unnamed", "texts", "texts_gone", "stamps", "problems")
        head = None if seen.head is None else str(seen.head)
        stamped = None if seen.stamped is None else _shown_stamp(seen.stamped)
        proofs = {name: getattr(seen.proofs, name) for name in ("answers", "proved", "unread")}
        more = {"head": head, "stamped": stamped, "first_problems": problems, **proofs}
        print_json({name: getattr(seen, name) for name in counts} | more)
    else:
        say(
            f"{seen.entries} entries, {seen.files} files, {seen.texts} texts. By rule, {seen.removed} files and "
            f"{seen.texts_gone} texts are gone; their hashes are kept."
        )
        say(
            f"{seen.proofs.answers} files are what their pages answered; {seen.proofs.proved} hold the text that "
            f"was stored, {seen.proofs.unread} cannot be unpacked."
        )
        if seen.unnamed:
            say(f"{seen.unnamed} files that no entry names: storing was interrupted. They prove nothing.")
        for problem in problems:
            say(problem)
        if seen.stamped is not None:
            shown = _shown_stamp(seen.stamped)
            say(f"Up to entry {shown['number']} all is older than {shown['at']}, says {shown['authority']}.")
            say(f"Believed by the root certificate with SHA-256 {', '.join(shown['roots'])}.")
        click.echo("" if seen.head is None else f"head {seen.head}")
    if seen.problems:
        fail(f"The evidence is not as it was written: {seen.problems} problems.")
    say("All is as it was written.")


@evidence.command()
@json_option
@reporting_errors
def mismatched(*, as_json: bool) -> None:
    """List the crawled pages whose evidence is not theirs: of another address, without their text, or missing."""
    from crawler.evidence.mismatches import mismatches  # noqa: PLC0415
    from crawler.evidence.record_files import EvidenceFolder  # noqa: PLC0415  # only where needed

    with store() as (settings, engine), transaction(engine) as session:
        found = list(mismatches(session, EvidenceFolder(settings.home)))
    if as_json:
        for one in found:
            print_json(asdict(one))
        return
    if not found:
        say("All pages have evidence of their own.")
        return
    print_table(("page", "entry", "problem"), [(one.url, one.entry or "", one.problem) for one in found])
    say(f"{len(found)} problems. The entries stay as they are; fetch a page again: zhiwen evidence capture URL")


def _shown_stamp(stamp: "StampRecord") -> dict[str, Any]:
    from crawler.evidence.timestamps import root_fingerprints  # noqa: PLC0415

    return {
        "number": stamp.head.number,
        "at": stamp.at.isoformat(),
        "authority": stamp.authority,
        "roots": root_fingerprints(stamp.certificates),
    }


@evidence.command("stamp")
@reporting_errors
def stamp_() -> None:
    """Have the chain's head stamped by the time stamp authority of the settings: a proof that it is that old."""
    from crawler.evidence.timestamps import StampFailed  # noqa: PLC0415  # only where needed
    from zhiwen.worker.timestamping import stamp_head  # noqa: PLC0415

    with store() as (settings, engine):
        try:
            done = stamp_head(settings, engine)
        except StampFailed as error:
            fail(str(error))
    if done is None:
        say("Nothing to stamp: there is no entry since the last time stamp.")
        return
    say(f"{done.authority} stamped the chain up to entry {done.head.number} at {done.at:%Y-%m-%d %H:%M:%S} UTC.")


def _head(written: str) -> Head:
    try:
        return Head.parse(written)
    except ValueError as error:
        raise click.UsageError(
            "--expect is a number, a colon and 64 hexadecimal digits, as `zhiwen evidence verify` prints them."
        ) from error


def _add(problems: list[str], problem: str) -> None:
    if len(problems) < MOST_NAMED:
        problems.append(problem)


@evidence.command("list")
@click.argument("url")
@json_option
@reporting_errors
def list_(url: str, *, as_json: bool) -> None:
    """What is kept of the page at a URL, oldest first."""
    from crawler.evidence.record_files import EvidenceFolder  # noqa: PLC0415
    from crawler.outcomes.errors import UnusableUrl  # noqa: PLC0415
    from crawler.urls.canonical import canonical_url  # noqa: PLC0415

    try:
        canonical = canonical_url(url)
    except UnusableUrl as error:
        fail(str(error))
    with store() as (settings, engine), transaction(engine) as session:
        found = stored.entries_of_url(session, canonical)
    folder = EvidenceFolder(settings.home)
    files = [
        None if entry.record is None or entry.removed_by is not None else folder.file_of(entry.record)
        for entry in found
    ]
    if as_json:
        for entry, file in zip(found, files, strict=True):
            digests = {name: value.hex() for name, value in asdict(entry).items() if isinstance(value, bytes)}
            print_json({**asdict(entry), **digests, "file": file})
        return
    rows = [
        (entry.number, f"{entry.at:%Y-%m-%d %H:%M:%S}", entry.kind, file or ("" if entry.record is None else "removed"))
        for entry, file in zip(found, files, strict=True)
    ]
    print_table(("entry", "at (UTC)", "kind", "file"), rows)


@evidence.command()
@click.argument("urls", metavar="URL…", nargs=-1, required=True)
@click.option("--screenshot", "with_picture", is_flag=True, help="Also keep what it looks like; needs Chromium.")
@reporting_errors
def capture(urls: tuple[str, ...], *, with_picture: bool) -> None:
    """Fetch pages now and keep what their servers answer, with who answered and which certificate was shown."""
    from crawler.browser.screenshot import NoScreenshot  # noqa: PLC0415
    from crawler.evidence.page_capture import Capturer  # noqa: PLC0415  # Scrapy is loaded only by those who fetch
    from crawler.outcomes.refusals import Refusal  # noqa: PLC0415
    from zhiwen.imports.run import page_reader  # noqa: PLC0415
    from zhiwen.imports.suspects import keeper_of  # noqa: PLC0415

    failed = 0
    with store() as (settings, engine), page_reader(settings.time_zone, asks_presence=True) as read_page:
        keeper = keeper_of(engine, settings.home)
        capturer = Capturer(keeper, read_page, settings.allowed_networks, settings.user_agent)
        for page in capturer.capture_pages(urls):
            failed += page.entry.record is None
            read = f"; no article: {page.outcome}" if isinstance(page.outcome, Refusal) else ""
            say(f"{page.url}: entry {page.entry.number} ({page.entry.kind}){read}")
            if with_picture and page.entry.record is not None:
                try:
                    say(f"{page.url}: entry {capturer.keep_screenshot(page.url).number} (screenshot)")
                except NoScreenshot as error:
                    say(f"{page.url}: no screenshot: {error}.")
    if failed:
        fail(f"{failed} pages could not be had. That is in the evidence, too.")


@evidence.command()
@click.argument("site")
@click.option(
    "--what",
    type=click.Choice([keep.value for keep in Keep]),
    help="raw: whole responses; text: headers, and the article's text in the store; hash: hashes alone.",
)
@click.option("--days", type=click.IntRange(0), help="How long whole responses are kept; 30 unless told otherwise.")
@click.option("--for-good", is_flag=True, help="Keep whole responses for good.")
@reporting_errors
def keep(site: str, *, what: str | None, days: int | None, for_good: bool) -> None:
    """Say what is kept of a site's responses, and for how long. What is under a case is kept for good anyway."""
    if days is not None and for_good:
        raise click.UsageError("Choose one of --days and --for-good.")
    with store() as (_, engine), transaction(engine) as session:
        site_id = sites.get_site(session, site).id
        before = stored.rule_of_site(session, site_id)
        kept_days = None if for_good else before.raw_days if days is None else days
        rule = EvidenceRule(before.keep if what is None else Keep(what), kept_days)
        stored.set_rule(session, site_id, rule)
    span = "for good" if rule.raw_days is None else f"for {rule.raw_days} days"
    say(f"Of {site} is kept: {rule.keep}{f', {span}' if rule.keep is Keep.RAW else ''}.")


@evidence.command()
@reporting_errors
def prune() -> None:
    """Delete what the sites' rules, and the bound in bytes, let go of. The chain tells of it and stays whole."""
    from crawler.evidence.record_files import EvidenceFolder  # noqa: PLC0415
    from crawler.evidence.retention import prune as prune_all  # noqa: PLC0415

    with store() as (settings, engine):
        folder, most_bytes = EvidenceFolder(settings.home), settings.evidence_max_bytes
        done = prune_all(engine, folder, now=datetime.now(UTC), most_bytes=most_bytes)
    say(f"Deleted {done.files + done.left_over} files.")
    if done.too_many_bytes:
        say(f"What has to stay takes {done.too_many_bytes / MEGABYTE:,.1f} MB more than the bound.")
