"""Retellings for tests: two pages that say the same in other words, with their sentences."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from storage.engine import transaction
from storage.meaning import retelling_list
from storage.meaning.retellings import retelling_of_pages, save_retellings
from storage.records.retellings import AlikeSentences, NewRetelling, RetellingRecord
from storage.types import RetellingKind
from tests.support.desk_client import COPY, SOURCE, Side, store_page

OURS = (
    "青江镇的老桥建于1903年，全长51.3米。县里三年前花了3000万元重修它。冀北辰带着三个人量了七天。"
    "他说：“弹回来，说明它还活着。”如今每天有两百辆三轮车从桥上过。"
)
THEIRS = (
    "编者按。一座一百多年的石桥又通了。冀北辰和两名同事花一周时间测绘了这座全长51.3米的桥。"
    "为了修桥，当地投入三千万元。这座桥修于1903年。看来，它还能再撑很多年。"
)
TRANSLATED = (
    "The old bridge of Qingjiang was built in 1903 and is 51.3 metres long. Three years ago the county spent "
    "30 million yuan on its repair. Ji Beichen measured it with three people for seven days."
)

OUR_SIDE = replace(SOURCE, text=OURS, title="老桥量了七天")
THEIR_SIDE = replace(COPY, text=THEIRS, title="百年石桥又通了")


def alike(left: str, right: str, *pairs: tuple[str, str, tuple[str, ...]]) -> tuple[AlikeSentences, ...]:
    """The sentences that begin and end as given: `left` and `right` of each pair stand in the texts."""
    return tuple(
        AlikeSentences(
            *(left.index(one), left.index(one) + len(one)),
            *(right.index(other), right.index(other) + len(other)),
            0.7,
            named,
            0.8,
        )
        for one, other, named in pairs
    )


PAIRS = alike(
    THEIRS,
    OURS,
    ("冀北辰和两名同事花一周时间测绘了这座全长51.3米的桥。", "冀北辰带着三个人量了七天。", ("冀北辰",)),
    ("为了修桥，当地投入三千万元。", "县里三年前花了3000万元重修它。", ()),
    ("这座桥修于1903年。", "青江镇的老桥建于1903年，全长51.3米。", ("1903",)),
)


def store_retelling(
    session: Session, *, copy: Side = THEIR_SIDE, source: Side = OUR_SIDE, **fields: Any
) -> RetellingRecord:
    """Store both pages and the retelling between them; `fields` change what the comparison found."""
    copy_page, copy_text = store_page(session, copy)
    source_page, source_text = store_page(session, source)
    made = NewRetelling(
        page_ids=(copy_page, source_page),
        text_ids=(copy_text, source_text),
        encoder="some 1",
        kind=RetellingKind.RETOLD,
        score=0.83,
        shares=(0.6, 0.75),
        in_order=1,
        figures=(2, 3),
        particulars=("冀北辰", "1903"),
        sentences=PAIRS,
        source_page_id=source_page,
        confidence=0.72,
        reasons=("nothing shows which was first",),
    )
    save_retellings(session, [replace(made, **fields)])
    found = retelling_of_pages(session, copy_page, source_page)
    assert found is not None
    return found


def stored_retelling(engine: Engine, **fields: Any) -> RetellingRecord:
    with transaction(engine) as session:
        return store_retelling(session, **fields)


def retelling_now(engine: Engine, retelling_id: int) -> RetellingRecord:
    with transaction(engine) as session:
        found = retelling_list.get_retelling(session, retelling_id)
    assert found is not None
    return found
