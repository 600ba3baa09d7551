"""A hundred cases of every state and kind, and what is so of each: documents about them are held against this."""

import random
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path

from sqlalchemy import Engine, text

from crawler.evidence.keeper import Keeper
from crawler.evidence.record_files import EvidenceFolder
from storage.engine import transaction
from storage.matches.direction_reasons import Reason, ReasonCode, encoded
from storage.records.evidence import EvidenceKind
from storage.takedowns import recaptures
from storage.types import CaseQueue, CaseState, Credit, LicenceTerm, MatchKind, Sight, Standing
from tests.support.cases import store_case
from tests.support.desk_client import COPY, SOURCE, Side
from tests.support.evidence.evidence import a_response

CASES = 100
COPIERS = 6
TITLES = (
    "老桥修好了",
    "",
    "   ",
    '=HYPERLINK("https://evil.example/","点此")',
    "\u200b＝1+1",
    "<script>alert(1)</script>",
    "{copier} {evidence} 100% \\ %s",
    "抄\u202e写",
    "长" * 300,
    "two\nlines\tand “quotes”, ‘more’",
    "𠮷野家 é ﬁ ＡＢＣ",
)
PATHS = ("{}", "{}?a=1&b=<2>", "%E6%A1%A5/{}", "桥/{}", "{}/{{list}}/(x)", "{}#top", "long/{}/" + "z" * 300)
CAPTURES = ("kept", "failed", "elsewhere", "none", "removed", "picture", "kept-and-failed")
REFUSALS = ("unreachable", "gone", "timeout")
SHARED_PASSAGES = (13, 55, 97)
"""Numbers of cases of one copier: letters to the others are as various without them."""
BEFORE_MIDNIGHT = datetime(2026, 3, 1, 15, 59, 59, tzinfo=UTC)
"""One second before midnight in Shanghai."""


@dataclass(frozen=True)
class KnownPage:
    """A page of theirs. `is_kept`: whether a response of its own is kept."""

    page_id: int
    hit_id: int
    url: str
    is_gone: bool
    is_licensed: bool
    is_theirs_first: bool
    ours_first: float
    """What may be said of who was first, without our own setting; 0.5 where nothing is known."""
    capture: str

    @property
    def is_kept(self) -> bool:
        return self.capture in ("kept", "kept-and-failed")

    @property
    def may_be_named(self) -> bool:
        return not (self.is_gone or self.is_licensed or self.is_theirs_first)


@dataclass(frozen=True)
class KnownCase:
    id: int
    copier: int
    state: CaseState
    queue: CaseQueue
    pages: tuple[KnownPage, ...]

    @property
    def has_letter(self) -> bool:
        rests = {CaseState.LICENSED, CaseState.DISMISSED, CaseState.WITHDRAWN, CaseState.REMOVED}
        return self.queue is CaseQueue.COPIED and self.state not in rests and any(map(_may_be_named, self.pages))


def _may_be_named(page: KnownPage) -> bool:
    return page.may_be_named


@dataclass
class World:
    """Builds the cases, each from its number alone."""

    engine: Engine
    home: Path

    def build(self) -> list[KnownCase]:
        states = cycle(CaseState)
        return [self._case(number, next(states)) for number in range(CASES)]

    def _case(self, number: int, state: CaseState) -> KnownCase:
        dice = random.Random(number)  # noqa: S311  # repeatable, nothing secret
        queue = {3: CaseQueue.WE_MAY_BE_COPIER, 5: CaseQueue.AGENCY}.get(number % 7, CaseQueue.COPIED)
        queue = CaseQueue.SHARED_PASSAGE if number in SHARED_PASSAGES else queue
        moment = BEFORE_MIDNIGHT + timedelta(seconds=number % 3, days=number % 5)
        path = PATHS[number % len(PATHS)].format(number)
        source = replace(
            SOURCE,
            url=f"https://county.example/{path}",
            text=f"{SOURCE.text}{number}",
            title=TITLES[number % len(TITLES)],
            published_at=moment - timedelta(days=2),
        )
        count = dice.choice((1, 1, 2, 4))
        found = [self._page(dice, number, index, source, queue, moment) for index in range(count)]
        case_id = found[0][0]
        self._set(case_id, state, queue, moment)
        return KnownCase(case_id, number % COPIERS, state, queue, tuple(page for _, page in found))

    def _page(
        self, dice: random.Random, number: int, index: int, source: Side, queue: CaseQueue, moment: datetime
    ) -> tuple[int, KnownPage]:
        path = PATHS[(number + index) % len(PATHS)].format(number)
        copy = replace(
            COPY,
            url=f"https://copier{number % COPIERS}.example/{path}/{index}",
            text=f"{COPY.text}{number}-{index}",
            title=TITLES[(number + index + 1) % len(TITLES)],
            published_at=moment,
        )
        standing = dice.choice((Standing.UNLICENSED, Standing.UNLICENSED, Standing.BREACH, Standing.LICENSED))
        if index == 0 and standing is Standing.LICENSED:
            standing = Standing.UNLICENSED  # a licensed copy opens no case
        made = store_case(
            self.engine,
            copy=copy,
            source=source,
            queue=queue,
            other_key=f"host:copier{number % COPIERS}.example",
            other_host=f"copier{number % COPIERS}.example",
            chars=dice.randint(1, 5_000),
            our_share=dice.choice((0.004, 0.31, 0.995, 1.0)),
            their_share=dice.random(),
            kind=dice.choice(list(MatchKind)),
            credit=dice.choice(list(Credit)),
            standing=standing,
            broken_terms=(LicenceTerm.NO_LINK,) if standing is Standing.BREACH else (),
        )
        theirs_first, ours_first = self._direct(dice, made.hit_id, made.theirs.page_id, queue)
        is_gone = dice.random() < 0.2
        if is_gone:
            self._run("UPDATE page SET gone_at = :at WHERE id = :id", id=made.theirs.page_id, at=moment)
        capture = CAPTURES[(number + index) % len(CAPTURES)]
        self._capture(
            capture, made.id, made.theirs.page_id, copy, moment, REFUSALS[number % len(REFUSALS)], is_gone=is_gone
        )
        known = (is_gone, standing is Standing.LICENSED, theirs_first, ours_first, capture)
        return made.id, KnownPage(made.theirs.page_id, made.hit_id, copy.url, *known)

    def _direct(self, dice: random.Random, hit_id: int, their_id: int, queue: CaseQueue) -> tuple[bool, float]:
        """Sets who was first. Confidences: nothing known, only our own setting (0.6 in log-odds), little, and much."""
        confidence, by_setting = dice.choice(((0.5, False), (0.6457, True), (0.7, False), (0.93, False)))
        is_theirs = not by_setting and (queue is CaseQueue.WE_MAY_BE_COPIER or dice.random() < 0.15)
        reason = Reason(ReasonCode.NOTHING)
        if by_setting:
            url = self._run("SELECT page.url FROM page_match JOIN page ON page.id = source_page_id"
                            " WHERE page_match.id = :id", id=hit_id)  # fmt: skip
            reason = Reason(ReasonCode.ORIGINAL_SITE, page=str(url))
        values = {"confidence": confidence, "reasons": [encoded(reason)], "id": hit_id}
        self._run("UPDATE page_match SET confidence = :confidence, reasons = :reasons WHERE id = :id", **values)
        if is_theirs:
            self._run("UPDATE page_match SET source_page_id = :page WHERE id = :id", page=their_id, id=hit_id)
        shown = 0.5 if by_setting else confidence
        return is_theirs and confidence > 0.5, 1 - shown if is_theirs else shown

    def _capture(
        self, what: str, case_id: int, page_id: int, copy: Side, at: datetime, refusal: str, *, is_gone: bool
    ) -> None:
        keeper, number = Keeper(self.engine, EvidenceFolder(self.home)), None
        response = a_response(url=copy.url, at=at, body=copy.text.encode())
        if what in ("kept", "removed", "kept-and-failed"):
            kept = keeper.keep_version(response, url=copy.url, text=copy.text)
            assert kept is not None
            if what == "removed":
                self._run("UPDATE evidence SET removed_by = :n WHERE number = :n", n=kept.number)
        if what == "picture":
            keeper.keep_content(copy.text.encode(), "image/png", url=copy.url, at=at, kind=EvidenceKind.SCREENSHOT)
        if what in ("failed", "kept-and-failed"):
            number = keeper.keep_failure(copy.url, at, why=refusal).number
        if what == "elsewhere":
            number = keeper.keep_capture(response, url="https://elsewhere.example/", text="另一篇").number
        if number is not None:
            with transaction(self.engine) as session:
                failed = refusal if "failed" in what else None
                sight = Sight.ABSENT if is_gone else Sight.UNREADABLE if failed else Sight.THERE
                recaptures.record(session, case_id, page_id, at=at, entry=number, refusal=failed, sight=sight)

    def _set(self, case_id: int, state: CaseState, queue: CaseQueue, moment: datetime) -> None:
        deadline = moment.replace(hour=16, minute=0, second=0) if state is CaseState.NOTIFIED else None
        self._run(
            'UPDATE "case" SET state = :state, queue = :queue, touched = true, opened_at = :at, deadline = :until,'
            " dismissed_because = :because WHERE id = :id",
            state=state,
            queue=queue,
            at=moment,
            until=deadline,
            because="quotation" if state is CaseState.DISMISSED else None,
            id=case_id,
        )

    def _run(self, statement: str, **values: object) -> object:
        with self.engine.begin() as connection:
            found = connection.execute(text(statement), values)
            return found.scalar() if found.returns_rows else None
