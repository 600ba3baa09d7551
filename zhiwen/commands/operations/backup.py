"""`db backup`, `db restore`, `db backups`: backups of the store, the evidence and the settings."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from storage.backups import history as stored
from zhiwen.config.secret_key import secret_key
from zhiwen.output.progress import steps, stopped_by_signals
from zhiwen.output.terminal import json_option, print_json, print_records, say, store_session
from zhiwen.wiring import opened_server, require_vectors, settings_of_this_process

MEGABYTE: Final = 1_000_000


@click.command()
@click.argument("target", metavar="FILE.tar|FOLDER", type=click.Path(path_type=Path))
@json_option
def backup(target: Path, *, as_json: bool) -> None:
    """Back up the database, the evidence and the settings while everything else keeps running.

    A name that ends in .tar becomes one file, any other a folder; in an existing folder, the backup is named by date
    and time. Nothing is overwritten, and an interrupted backup leaves nothing.
    """
    from zhiwen.backups.create import make, place_for  # noqa: PLC0415  # only where needed

    stop = stopped_by_signals()
    settings = settings_of_this_process()
    place = place_for(target.absolute(), datetime.now(UTC))
    with opened_server(settings) as (url, engine), steps() as progress:
        made = make(settings, url, engine, place, progress=progress, should_stop=stop.is_set)
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
            say(f"{count} evidence files {what}. See: zhiwen evidence verify")
    if manifest.left_out:
        say(f"Not in the backup, because they are secret: {', '.join(manifest.left_out)}.")
    say(
        f"Saved {sum(manifest.rows.values())} rows and {len(manifest.evidence)} evidence files, "
        f"{manifest.size / MEGABYTE:,.1f} MB, as {made.path}"
    )


@click.command()
@click.argument("backup", metavar="FILE.tar|FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--verify", "only_verify", is_flag=True, help="Restore into a temporary database, verify it, and drop it."
)
@click.option("--replace", is_flag=True, help="Replace a store that is not empty.")
@click.option("--foreign", is_flag=True, help="Accept a backup that this installation did not sign.")
def restore(backup: Path, *, only_verify: bool, replace: bool, foreign: bool) -> None:
    """Restore a backup completely or not at all; with --verify, only test it.

    The backup is restored into a new database, row counts and the chain of evidence are compared with its manifest, the
    schema is upgraded, and only then it replaces the store. A backup can run code in the database: one of another
    installation needs --foreign.
    """
    from zhiwen.backups.create import note_tested  # noqa: PLC0415  # only where needed
    from zhiwen.backups.restore import Trust, verify_backup  # noqa: PLC0415
    from zhiwen.backups.restore import restore as restore_it  # noqa: PLC0415

    if only_verify and replace:
        raise click.UsageError("Choose one of --verify and --replace.")
    stop = stopped_by_signals()
    settings = settings_of_this_process()
    home = settings.home
    with opened_server(settings) as (url, engine), steps() as progress:
        trust = Trust(secret_key(settings), foreign=foreign)
        if only_verify:
            done = verify_backup(url, backup, home=home, trust=trust, progress=progress, should_stop=stop.is_set)
            note_tested(engine, done.manifest)
        else:
            done = restore_it(
                url, engine, backup, home=home, trust=trust, replace=replace, progress=progress, should_stop=stop.is_set
            )
            # A dump holds the vectors of texts, but neither pgvector nor the index over them.
            require_vectors(settings, engine)
    manifest, seen = done.manifest, done.seen
    what = "This backup can be restored" if only_verify else "Restored"
    say(
        f"{what}: {sum(manifest.rows.values())} rows, {seen.entries} entries and {len(manifest.evidence)} files of the "
        f"evidence, of {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC."
    )
    if manifest.missing or manifest.damaged:
        say(
            f"When it was made, {len(manifest.missing)} evidence files were missing and "
            f"{len(manifest.damaged)} had been changed."
        )
    if done.settings is not None:
        say(
            f"The settings are in {done.settings}, without secrets ({', '.join(manifest.left_out) or 'none were set'})."
        )


@click.command()
@json_option
def backups(*, as_json: bool) -> None:
    """List the backups of this store, newest first."""
    with store_session() as session:
        found = stored.list_backups(session)
    print_records(
        found,
        ("made at (UTC)", "MB", "tested at (UTC)", "place"),
        lambda one: (_time(one.made_at), f"{one.bytes / MEGABYTE:,.1f}", _time(one.tested_at), one.place),
        as_json=as_json,
        shape=lambda one: {"made_at": one.made_at, "place": one.place, "bytes": one.bytes, "tested_at": one.tested_at},
    )


def _time(at: datetime | None) -> str:
    return "" if at is None else f"{at:%Y-%m-%d %H:%M:%S}"
