"""The demo, whole: three sites served, crawled by the real spider, matched, judged against what was planted."""

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from storage.records.matches import Evidence, HitRecord, HitSide
from storage.records.retellings import RetellingRecord
from storage.types import Credit, MatchKind, Relation, RetellingKind, RetellingState, SiteRole
from zhiwen.demo.judging import judge_demo
from zhiwen.demo.sites import build_sites

ADDRESSES = {"original": "http://127.0.0.1:1", "copier": "http://127.0.0.2:1", "innocent": "http://127.0.0.3:1"}


def side(url: str) -> HitSide:
    now = datetime.now(UTC)
    return HitSide(1, url, "site", "owner", "host", SiteRole.WATCHED, "title", None, now, 1, 100, 1.0)


def hit(copy: str, source: str, credit: Credit) -> HitRecord:
    evidence = Evidence(None, 0, 0, 0, 0)
    return HitRecord(
        *(1, 1, side(copy), side(source), MatchKind.NEAR, 0.9, 100, 0.9, (), credit, "", (), evidence),
        datetime.now(UTC),
    )


def planted_hits() -> list[HitRecord]:
    sites = {site.name: site for site in build_sites(ADDRESSES)}
    return [
        hit(site.address + planted.copy_path, sites["original"].address + source, planted.credit)
        for site in sites.values()
        for planted in site.planted
        if planted.retelling is None
        for source in planted.source_paths
    ]


def test_all_that_was_planted_and_nothing_else_is_right() -> None:
    verdict = judge_demo(build_sites(ADDRESSES), planted_hits())

    assert verdict.is_right
    assert len(verdict.copies) == 21
    assert len(verdict.left_alone) >= 16


def test_a_copy_that_no_hit_shows_is_missed() -> None:
    verdict = judge_demo(build_sites(ADDRESSES), planted_hits()[1:])

    assert not verdict.is_right
    assert sum(bool(copy.missing) for copy in verdict.copies) == 1


def test_a_hit_on_an_innocent_page_is_false_and_the_page_not_left_alone() -> None:
    sites = build_sites(ADDRESSES)
    innocent = next(site for site in sites if site.name == "innocent")
    accused = innocent.address + innocent.innocent_paths[0]
    source = next(site for site in sites if site.name == "original")
    false = hit(accused, source.address + source.article_paths[0], Credit.NONE)

    verdict = judge_demo(sites, [*planted_hits(), false])

    assert not verdict.is_right
    assert verdict.false_hits == (false,)
    assert accused not in verdict.left_alone


def test_a_copy_taken_for_the_source_is_wrong() -> None:
    first, *others = planted_hits()

    verdict = judge_demo(build_sites(ADDRESSES), [replace(first, copy=first.source, source=first.copy), *others])

    assert not verdict.is_right
    assert not any(copy.missing for copy in verdict.copies)


def test_a_wrong_credit_is_wrong() -> None:
    first, *others = planted_hits()
    other_credit = Credit.NAMED if first.credit is not Credit.NAMED else Credit.NONE

    assert not judge_demo(build_sites(ADDRESSES), [replace(first, credit=other_credit), *others]).is_right


def planted_retellings() -> list[RetellingRecord]:
    sites = {site.name: site for site in build_sites(ADDRESSES)}
    return [
        retelling(
            site.address + planted.copy_path, sites["original"].address + planted.source_paths[0], planted.retelling
        )
        for site in sites.values()
        for planted in site.planted
        if planted.retelling is not None
    ]


def retelling(copy: str, source: str, kind: RetellingKind) -> RetellingRecord:
    unknown = (None, RetellingState.OPEN, None, None, None, datetime.now(UTC))
    figures = (kind, 0.9, 3, (1, 1), (), (), 0.9, (), Relation.COPY)
    return RetellingRecord(1, side(copy), side(source), *figures, *unknown)


def test_retellings_are_judged_by_kind_direction_and_relation() -> None:
    sites, found = build_sites(ADDRESSES), planted_retellings()
    assert {one.kind for one in found} == set(RetellingKind)

    assert judge_demo(sites, planted_hits(), found).is_right
    for wrong in (
        found[1:],
        [replace(found[0], kind=found[1].kind), found[1]],
        [replace(found[0], copy=found[0].source, source=found[0].copy), found[1]],
        [replace(found[0], relation=Relation.BOTH_FROM_THIRD), found[1]],
    ):
        assert not judge_demo(sites, planted_hits(), wrong).is_right


def test_a_retelling_named_on_an_innocent_page_is_false() -> None:
    sites = build_sites(ADDRESSES)
    innocent = next(site for site in sites if site.name == "innocent")
    source = next(site for site in sites if site.name == "original")
    accused = innocent.address + innocent.innocent_paths[0]
    false = retelling(accused, source.address + source.article_paths[0], RetellingKind.RETOLD)

    verdict = judge_demo(sites, planted_hits(), [*planted_retellings(), false])

    assert not verdict.is_right
    assert verdict.false_retellings == (false,)
    assert accused not in verdict.left_alone


def test_without_an_encoder_nothing_is_judged_by_meaning() -> None:
    verdict = judge_demo(build_sites(ADDRESSES), planted_hits())

    assert verdict.is_right
    assert verdict.retellings is None


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "ZHIWEN_HOME": str(tmp_path / "我的 home"), "PYTHONUNBUFFERED": "1"}


def test_the_demo_finds_every_planted_copy_serves_the_admin_and_leaves_nothing_running(
    environment: dict[str, str],
) -> None:
    demo = subprocess.Popen(
        [sys.executable, "-m", "zhiwen", "demo"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        words = _words_until_the_admin_is_served(demo)
        started = _descendants(demo.pid)
        demo.send_signal(signal.SIGINT)
        demo.wait(timeout=120)
    finally:
        demo.kill()
        demo.wait()
        assert demo.stderr is not None
        demo.stderr.close()

    assert "21 of 21 planted copies found, 0 false." in words
    assert "2 of 2 retellings found and named right, 0 false." in words
    assert not re.search("FALSE|MISSED", words)
    assert started, "the demo runs a web server and a database as processes of their own"
    assert _end_within(started, limit_s=20)


def _words_until_the_admin_is_served(demo: "subprocess.Popen[bytes]") -> str:
    assert demo.stderr is not None
    words = ""
    for line in demo.stderr:
        words += line.decode()
        if re.search(r"admin.* http://127\.0\.0\.1:\d+/", line.decode()):
            return words
    pytest.fail(f"the demo ended before it served the admin: {words}")


def _descendants(pid: int) -> list[int]:
    """The processes a process has started, and theirs."""
    return [child.pid for child in psutil.Process(pid).children(recursive=True)]


def _end_within(pids: list[int], *, limit_s: float) -> bool:
    deadline = time.monotonic() + limit_s
    while any(_is_running(pid) for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


def _is_running(pid: int) -> bool:
    # A zombie that nobody has reaped yet runs no more.
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
