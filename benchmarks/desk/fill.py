"""Fills a database with the generated store by COPY, and fingerprints its most copied story as the program does."""

from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from admin.auth.passwords import hash_password
from benchmarks.common.made_up_store import copy_table
from benchmarks.common.report import Progress
from benchmarks.desk.case_rows import CaseRows
from benchmarks.desk.rows import Rows
from benchmarks.desk.world import World
from fingerprint.compute import fingerprint_text
from matcher.boilerplate.survey import survey
from storage.accounts import accounts
from storage.engine import transaction
from storage.pages import saving
from storage.postgres import statistics
from storage.postgres.copy_rows import indexes_set_aside, settle, unattended
from storage.types import AccountRole

if TYPE_CHECKING:
    from sqlalchemy import Engine

NAME: Final = "测量"
PASSWORD: Final = "only for the benchmark"  # noqa: S105  # of a temporary store
REVIEWERS: Final = 5
READ_TEXTS: Final = 600
"""Texts with a fingerprint: those of the story copied most, then others that were copied. A million takes hours, and
only the pages that compare two texts again read more than one.
"""


def fill(engine: "Engine", world: World, *, progress: Progress, settled: bool = True) -> CaseRows:
    """Fills an empty store with the world and returns its cases. Takes some ten minutes for a million pages.
    `settled`: the tables are also vacuumed, as the database does by itself some minutes later; else it never does, and
    they are as an import leaves them, analysed by the program.
    """
    if not settled:
        with transaction(engine) as session:
            unattended(session)
    with transaction(engine) as session:
        password = hash_password(PASSWORD)
        accounts.add_account(session, name=NAME, password_hash=password, role=AccountRole.ADMINISTRATOR)
        reviewers = tuple(
            accounts.add_account(session, name=f"审核员{number}", password_hash=password, role=AccountRole.REVIEWER).id
            for number in range(REVIEWERS)
        )
    rows = Rows(world)
    cases = CaseRows(world, rows, reviewers)
    with transaction(engine) as session, indexes_set_aside(session, ("page", "page_version", "page_match", "match")):
        for number, table in enumerate(tables := [*rows.tables(), *cases.tables()]):
            progress("tables filled", number, len(tables))
            copy_table(session, table)
        progress("tables filled", len(tables), len(tables))
    _read_some(engine, rows, world, progress=progress)
    if settled:
        settle(engine)
    else:
        statistics.refresh(engine)
    return cases


def _read_some(engine: "Engine", rows: Rows, world: World, *, progress: Progress) -> None:
    most_first = sorted(world.copies, key=lambda copy: (-world.copied[copy.ours], copy.ours))
    texts = chain.from_iterable((copy.ours, copy.their_text) for copy in most_first)
    wanted = list(islice(dict.fromkeys(texts), READ_TEXTS))
    found = {}
    for number, text_id in enumerate(wanted, start=1):
        found[text_id] = fingerprint_text(rows.body(text_id))
        progress("texts read", number, len(wanted))
    with transaction(engine) as session:
        saving.save_fingerprints(session, found)
    # A store that is matched daily has judged the repeated runs long before a comparison is explained.
    survey(engine, should_stop=lambda: False, on_progress=lambda done, whole: progress("runs judged", done, whole))
