"""`db backup`, `db restore`, `db backups`: the store and its evidence put in safety, and brought back."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from storage.backups import history as stored
from storage.engine import transaction
from storage.errors import BackupInterrupted
from zhiwen.config.secret_key import secret_key
from zhiwen.output.progress import steps, stopped_by_signals
from zhiwen.output.terminal import json_option, print_json, print_table, reporting_errors, say, store
from zhiwen.wiring import opened_server, settings_of_this_process

MEGABYTE: Final = 1_000_000


@click.command()
@click.argument("target", metavar="FILE.tar|FOLDER", type=click.Path(path_type=Path))
@json_option
@reporting_errors
def backup(target: Path, *, as_json: bool) -> None:
    """Save the database, the evidence and the settings, while everything else goes on.

    Into one file where the name ends in .tar, else into a folder of that name; a folder that is there gets a back-up
    named by the moment. Nothing is overwritten, and a back-up that was interrupted leaves nothing.
    """
    from zhiwen.backups.create import make, place_for  # noqa: PLC0415  # only where needed

    stop = stopped_by_signals()
    settings = settings_of_this_process()
    place = place_for(target.absolute(), datetime.now(UTC))
    with opened_server(settings) as (url, engine), steps() as tell:
        try:
            made = make(settings, url, engine, place, tell=tell, should_stop=stop.is_set)
        except BackupInterrupted as error:
            raise click.Abort from error
    manifest = made.manifest
    if as_json:
        print_json(
            {
                "path": made.path,
                "made_at": manifest.made_at,
                "bytes": manifest.size,
                "rows": sum(manifest.rows.values()),
                "evidence_files": len(manifest.evidence),
                "missing": len(manifest.missing),
                "damaged": len(manifest.damaged),
                "settings_left_out": manifest.left_out,
            }
        )
    for count, what in ((len(manifest.missing), "are not on this machine"), (len(manifest.damaged), "were changed")):
        if count:
            say(f"{count} files of the evidence {what}; see: zhiwen evidence verify")
    if manifest.left_out:
        say(f"Not in it, being secret: {', '.join(manifest.left_out)}.")
    say(
        f"Saved {sum(manifest.rows.values())} rows and {len(manifest.evidence)} files of the evidence, "
        f"{manifest.size / MEGABYTE:,.1f} MB, as {made.path}"
    )


@click.command()
@click.argument("backup", metavar="FILE.tar|FOLDER", type=click.Path(path_type=Path))
@click.option("--verify", "only_verify", is_flag=True, help="Restore into a scratch database, compare, and drop it.")
@click.option("--replace", is_flag=True, help="Also where the store holds something: the back-up takes its place.")
@click.option("--foreign", is_flag=True, help="Accept a back-up that this installation did not sign.")
@reporting_errors
def restore(backup: Path, *, only_verify: bool, replace: bool, foreign: bool) -> None:
    """Bring a back-up back, all of it or nothing; with --verify only see that it could be.

    It is restored into a new database, compared row by count and through the whole chain of evidence with what it
    says of itself, brought up to this program's schema, and only then put in the place of the store. A back-up is a
    program: one that another installation made takes --foreign.
    """
    from zhiwen.backups.create import note_tested  # noqa: PLC0415  # only where needed
    from zhiwen.backups.restore import Trust, verify_backup  # noqa: PLC0415
    from zhiwen.backups.restore import restore as restore_it  # noqa: PLC0415

    if only_verify and replace:
        raise click.UsageError("Choose one of --verify and --replace.")
    stop = stopped_by_signals()
    settings = settings_of_this_process()
    home = settings.home
    with opened_server(settings) as (url, engine), steps() as tell:
        trust = Trust(secret_key(settings), foreign=foreign)
        try:
            if only_verify:
                done = verify_backup(url, backup, home=home, trust=trust, tell=tell, should_stop=stop.is_set)
                note_tested(engine, done.manifest)
            else:
                done = restore_it(
                    url, engine, backup, home=home, trust=trust, replace=replace, tell=tell, should_stop=stop.is_set
                )
        except BackupInterrupted as error:
            raise click.Abort from error
    manifest, seen = done.manifest, done.seen
    what = "This back-up can be restored" if only_verify else "Restored"
    say(
        f"{what}: {sum(manifest.rows.values())} rows, {seen.entries} entries and {len(manifest.evidence)} files of the "
        f"evidence, as they were at {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC."
    )
    if manifest.missing or manifest.damaged:
        say(
            f"When it was made, {len(manifest.missing)} files of the evidence were not there, and "
            f"{len(manifest.damaged)} had been changed."
        )
    if done.settings is not None:
        say(f"The settings are in {done.settings}; {', '.join(manifest.left_out) or 'no secret'} was left out of them.")


@click.command()
@json_option
@reporting_errors
def backups(*, as_json: bool) -> None:
    """The back-ups that were made of this store, the newest first."""
    with store() as (_, engine), transaction(engine) as session:
        found = stored.list_backups(session)
    if as_json:
        for one in found:
            print_json({"made_at": one.made_at, "place": one.place, "bytes": one.bytes, "tested_at": one.tested_at})
        return
    rows = [
        (f"{one.made_at:%Y-%m-%d %H:%M:%S}", f"{one.bytes / MEGABYTE:,.1f}",
         one.tested_at and f"{one.tested_at:%Y-%m-%d %H:%M:%S}", one.place)
        for one in found
    ]  # fmt: skip
    print_table(("made at (UTC)", "MB", "restored for a test (UTC)", "where"), rows)
