"""Saving and reading retellings: one row for two pages, whichever of them was compared.

The pair is also stored if the two pages have a match of their wording: the retelling then holds what is alike beyond
the wording. Lists of possible retellings leave such pairs out (`without_hits`).
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Select, and_, case, delete, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from storage.matches.direction_reasons import decoded, encoded
from storage.models.matches import PageMatch
from storage.models.meaning import Retelling
from storage.models.pages import Page, PageVersion, Text
from storage.models.people import Account
from storage.models.sites import Owner, Site
from storage.postgres.prepared_statements import Prepared
from storage.postgres.rows import columns_of, record_of
from storage.postgres.text import storable
from storage.records.matches import HitFilter, HitSide
from storage.records.retellings import AlikeSentences, NewRetelling, RetellingRecord
from storage.types import RetellingKind, RetellingState

_COLUMNS: Final = {
    **dict.fromkeys(("low_page_id", "high_page_id", "low_text_id", "high_text_id"), "bigint"),
    **dict.fromkeys(("encoder", "kind", "relation"), "text"),
    **dict.fromkeys(("score", "low_share", "high_share", "confidence"), "float8"),
    **dict.fromkeys(("in_order", "figures_shared", "figures_most"), "integer"),
    **dict.fromkeys(("particulars", "reasons"), "text[]"),
    **{"sentences": "jsonb", "source_page_id": "bigint", "third_page_id": "bigint"},
}
EVERYTHING: Final = HitFilter()
_KEY: Final = ("low_page_id", "high_page_id")
_RELATED: Final = ("relation", "third_page_id")
_SAME_TEXTS: Final = "(retelling.low_text_id, retelling.high_text_id) = (excluded.low_text_id, excluded.high_text_id)"


def _replaced(name: str) -> str:
    """What somebody else found out about the relation of the same two texts stays, unless something new is known."""
    if name in _RELATED:
        stays = f"excluded.relation = 'copy' AND {_SAME_TEXTS}"
        return f"{name} = CASE WHEN {stays} THEN retelling.{name} ELSE excluded.{name} END"
    return f"{name} = excluded.{name}"


_SAVE: Final = Prepared(
    "retellings_saved",
    {"rows": "jsonb"},
    f"""
    INSERT INTO retelling ({", ".join(_COLUMNS)})
    SELECT {", ".join(_COLUMNS)}
    FROM jsonb_to_recordset(:rows) AS r({", ".join(f"{name} {kind}" for name, kind in _COLUMNS.items())})
    ORDER BY low_page_id, high_page_id
    ON CONFLICT (low_page_id, high_page_id)
    DO UPDATE SET {", ".join(_replaced(name) for name in _COLUMNS if name not in _KEY)}
    """,  # noqa: S608  # columns of ours
)

_copy, _source = aliased(Page, name="copy"), aliased(Page, name="source")
_copy_version, _source_version = aliased(PageVersion, name="copy_version"), aliased(PageVersion, name="source_version")
_copy_text, _source_text = aliased(Text, name="copy_text"), aliased(Text, name="source_text")
_copy_site, _source_site = aliased(Site, name="copy_site"), aliased(Site, name="source_site")
_copy_owner, _source_owner = aliased(Owner, name="copy_owner"), aliased(Owner, name="source_owner")
_third = aliased(Page, name="third")

low_is_source: Final[ColumnElement[bool]] = Retelling.source_page_id == Retelling.low_page_id


def save_retellings(session: Session, found: Sequence[NewRetelling]) -> None:
    """Save retellings, each pair of pages given once. A pair that is known gets the new figures; what a person decided
    about it stays. In the order of their pages, so that two savers cannot deadlock.
    """
    if found:
        _SAVE.execute(session, {"rows": json.dumps([_row(one) for one in found], ensure_ascii=False)})


def withdraw_retellings(session: Session, text_id: int, *, encoder: str, keep: Collection[tuple[int, int]]) -> None:
    """Delete undecided retellings of a text that another encoder, or another version of it, found, and this one did
    not. `keep`: the pairs of pages, lower id first, that it found.
    """
    of_text = or_(Retelling.low_text_id == text_id, Retelling.high_text_id == text_id)
    rows = session.execute(
        select(Retelling.id, Retelling.low_page_id, Retelling.high_page_id)
        .where(of_text, Retelling.state == RetellingState.OPEN, Retelling.encoder != encoder)
        .order_by(Retelling.id)
        .with_for_update()
    )
    gone = [row.id for row in rows if (row.low_page_id, row.high_page_id) not in keep]
    session.execute(delete(Retelling).where(Retelling.id.in_(gone)))


def withdraw_outdated(session: Session) -> int:
    """Delete undecided retellings of texts that a page of theirs has replaced. Returns their number."""
    current = [
        exists().where(PageVersion.page_id == page, PageVersion.text_id == text, PageVersion.is_current)
        for page, text in (
            (Retelling.low_page_id, Retelling.low_text_id),
            (Retelling.high_page_id, Retelling.high_text_id),
        )
    ]
    outdated = (
        select(Retelling.id)
        .where(Retelling.state == RetellingState.OPEN, ~and_(*current))
        .order_by(Retelling.id)
        .with_for_update(of=Retelling)
    )
    ids = session.scalars(outdated).all()
    session.execute(delete(Retelling).where(Retelling.id.in_(ids)))
    return len(ids)


def without_hits() -> ColumnElement[bool]:
    """For a query over retellings: whether no match of the wording of the same two pages is stored."""
    return ~exists().where(
        PageMatch.low_page_id == Retelling.low_page_id, PageMatch.high_page_id == Retelling.high_page_id
    )


def retelling_of_pages(session: Session, one: int, other: int) -> RetellingRecord | None:
    """Return the retelling between two pages; None if there is none."""
    low, high = sorted((one, other))
    row = session.execute(
        select_retellings().where(Retelling.low_page_id == low, Retelling.high_page_id == high)
    ).first()
    return None if row is None else retelling_record(row)


def retellings_of_page(session: Session, page_id: int, *, limit: int) -> list[RetellingRecord]:
    """Return the retellings of a page on either side, highest score first, also those beside a match."""
    statement = select_retellings().where(or_(Retelling.low_page_id == page_id, Retelling.high_page_id == page_id))
    return [retelling_record(row) for row in session.execute(_surest(statement).limit(limit))]


def list_retellings(
    session: Session, kind: RetellingKind, where: HitFilter = EVERYTHING, *, limit: int | None = None
) -> list[RetellingRecord]:
    """Return the retellings of a kind that nobody dismissed, highest score first, without those beside a match.
    `where`: as of hits, but for kind and credit.
    """
    conditions = [Retelling.state != RetellingState.DISMISSED, without_hits(), *_conditions(where)]
    statement = select_retellings().where(Retelling.kind == kind, *conditions)
    return [retelling_record(row) for row in session.execute(_surest(statement).limit(limit))]


def _conditions(where: HitFilter) -> list[ColumnElement[bool]]:
    conditions = [Retelling.score >= where.min_score]
    if where.site:
        conditions.append(or_(*(site.name == storable(where.site) for site in (_copy_site, _source_site))))
    if where.owner:
        conditions.append(or_(*(owner.name == storable(where.owner) for owner in (_copy_owner, _source_owner))))
    if where.role:
        conditions.append(_source_site.role == where.role)
    if where.min_share > 0:
        conditions.append(case((low_is_source, Retelling.high_share), else_=Retelling.low_share) >= where.min_share)
    if where.open_case:
        conditions.append(Retelling.state == RetellingState.CASE)
    if where.text:
        named = (_copy.url, _source.url, _copy_version.title, _source_version.title)
        piece = func.lower(storable(where.text))
        conditions.append(or_(*(func.strpos(func.lower(name), piece) > 0 for name in named)))
    return conditions


def _surest(statement: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    return statement.order_by(Retelling.score.desc(), Retelling.id)


@cache
def select_retellings() -> Select[*tuple[Any, ...]]:
    """A select of all retellings, in no order, whose rows `retelling_record` reads."""
    copy_page = case((low_is_source, Retelling.high_page_id), else_=Retelling.low_page_id)
    texts = [
        case((low_is_source, one), else_=other)
        for one, other in (
            (Retelling.high_text_id, Retelling.low_text_id),
            (Retelling.low_text_id, Retelling.high_text_id),
        )
    ]
    shares = [
        case((low_is_source, one), else_=other)
        for one, other in ((Retelling.high_share, Retelling.low_share), (Retelling.low_share, Retelling.high_share))
    ]
    copy = _side(_copy, _copy_version, _copy_text, _copy_site, _copy_owner, shares[0])
    source = _side(_source, _source_version, _source_text, _source_site, _source_owner, shares[1])
    given = {
        "figures": Retelling.figures_shared,
        "third_url": _third.url,
        "decided_by": Account.name,
    }
    return (
        select(
            *columns_of(RetellingRecord, Retelling, copy=copy, source=source, **given),
            Retelling.figures_most.label("figures_most"),
            low_is_source.label("low_is_source"),
        )
        .join(_copy, _copy.id == copy_page)
        .join(_source, _source.id == Retelling.source_page_id)
        .join(_copy_version, and_(_copy_version.page_id == _copy.id, _copy_version.text_id == texts[0]))
        .join(_source_version, and_(_source_version.page_id == _source.id, _source_version.text_id == texts[1]))
        .join(_copy_text, _copy_text.id == _copy_version.text_id)
        .join(_source_text, _source_text.id == _source_version.text_id)
        .outerjoin(_copy_site, _copy_site.id == _copy.site_id)
        .outerjoin(_source_site, _source_site.id == _source.site_id)
        .outerjoin(_copy_owner, _copy_owner.id == _copy_site.owner_id)
        .outerjoin(_source_owner, _source_owner.id == _source_site.owner_id)
        .outerjoin(_third, _third.id == Retelling.third_page_id)
        .outerjoin(Account, Account.id == Retelling.decided_by)
    )


def _side(page: Any, version: Any, text: Any, site: Any, owner: Any, share: ColumnElement[float]) -> list[Any]:
    named = {"page_id": page.id, "site_name": site.name, "owner_name": owner.name}
    return columns_of(HitSide, page, version, text, site, **named, share=share)


def retelling_record(row: Row[Any]) -> RetellingRecord:
    """Return the record of a row of `select_retellings`."""
    sentences = (_sentences(value) for value in row.sentences)
    return record_of(
        RetellingRecord,
        row,
        figures=(row.figures, row.figures_most),
        reasons=tuple(map(decoded, row.reasons)),
        sentences=tuple(one.swapped() if row.low_is_source else one for one in sentences),
    )


def _sentences(value: dict[str, Any]) -> AlikeSentences:
    return AlikeSentences(**(value | {"particulars": tuple(value["particulars"])}))


def _row(found: NewRetelling) -> dict[str, Any]:
    in_order = found if found.page_ids[0] < found.page_ids[1] else found.mirrored()
    return {
        **{name: getattr(in_order, name) for name in _COLUMNS if hasattr(in_order, name)},
        **dict(zip(("low_page_id", "high_page_id"), in_order.page_ids, strict=True)),
        **dict(zip(("low_text_id", "high_text_id"), in_order.text_ids, strict=True)),
        **dict(zip(("low_share", "high_share"), in_order.shares, strict=True)),
        **dict(zip(("figures_shared", "figures_most"), in_order.figures, strict=True)),
        "particulars": [storable(one) for one in in_order.particulars],
        "reasons": [storable(encoded(reason)) for reason in in_order.reasons],
        "sentences": [_storable(one) for one in in_order.sentences],
    }


def _storable(sentences: AlikeSentences) -> dict[str, Any]:
    return asdict(replace(sentences, particulars=tuple(map(storable, sentences.particulars))))
