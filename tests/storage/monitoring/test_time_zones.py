"""A site with a time zone that this machine does not know: its days are counted in UTC, and nobody else's change."""

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from storage.jobs import schedules
from storage.jobs import schedules as stored_schedules
from storage.monitoring import site_alarms
from storage.monitoring.run_totals import tally
from storage.time_zones import zone_named
from tests.support.factories import a_site
from zhiwen.diagnostics.database_checks import examine_zones
from zhiwen.diagnostics.doctor import State

LOST = "Mars/Olympus"
NOW = datetime(2026, 5, 1, 10, 30, tzinfo=UTC)


@pytest.fixture
def lost(session: Session) -> int:
    """Beside a site whose zone is known."""
    known = a_site(session, "known", host="known.example").id
    lost = a_site(session, "lost", host="lost.example").id
    for site_id in (lost, known):
        schedules.set_schedule(session, site_id, "0 9 * * *", now=NOW - timedelta(days=2))
    session.execute(text("UPDATE site SET time_zone = :zone WHERE id = :id"), {"zone": LOST, "id": lost})
    session.flush()
    session.expire_all()
    return lost


def test_the_schedules_of_all_sites_go_on(session: Session, lost: int) -> None:
    assert set(schedules.start_due(session, NOW)) == {"known", "lost"}

    found = schedules.get_schedule(session, lost)
    assert found is not None
    assert found.next_at == datetime(2026, 5, 2, 9, tzinfo=UTC)
    schedules.set_schedule(session, lost, "0 9 * * *", now=NOW)


def test_days_are_summed_up_and_all_sites_watched(session: Session, lost: int) -> None:
    session.execute(
        text(
            """INSERT INTO crawl_run (site_id, trigger, started_at, ended_at, exit_reason, counters)
            SELECT id, 'test', :at, :at, 'finished', '{"pages/fetched": 5}' FROM site"""
        ),
        {"at": NOW},
    )

    taken, site_ids = tally(session)

    assert (taken, len(site_ids)) == (2, 2)
    assert site_alarms.watch_sites(session, site_ids, NOW) == []
    days = session.execute(text("SELECT day FROM site_day WHERE site_id = :id"), {"id": lost}).scalars().all()
    assert days == [date(2026, 5, 1)]


def test_the_doctor_names_the_site_and_the_zone(session: Session, lost: int) -> None:
    session.execute(text("UPDATE schedule SET time_zone = 'Nowhere/Else' WHERE site_id <> :id"), {"id": lost})

    unknown = stored_schedules.unknown_zones(session)

    assert unknown == [("known", "Nowhere/Else"), ("lost", LOST)]
    finding = examine_zones(unknown)
    assert finding.state is State.WARN
    assert "'Mars/Olympus' of lost" in finding.says
    assert examine_zones([]).state is State.OK


@pytest.mark.parametrize("name", ["", LOST, "/etc/passwd", "../x", "Asia", "a\0b", "x" * 5_000])
def test_no_name_raises(name: str) -> None:
    assert zone_named(name, "Asia/Shanghai").key == "Asia/Shanghai"
    assert zone_named(name, name).key == "UTC"
