"""Permission of a copy by the licences: unlicensed, licensed, or the terms that it breaks. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from matcher.provenance.credit import folded
from matcher.provenance.page_facts import SPREAD, PageFacts
from storage.records.cases import LicenceRecord
from storage.types import NOT_SEEN_WHEN_NEW, Credit, LicenceTerm, Precision, Standing

_ENOUGH: Final = {
    Credit.NONE: frozenset(Credit),
    Credit.NAMED: frozenset({Credit.NAMED, Credit.LINKED}),
    Credit.LINKED: frozenset({Credit.LINKED}),
}


@dataclass(frozen=True, slots=True)
class Permission:
    """`broken` is empty unless `standing` is a breach; `licence_id` is the licence that applies."""

    standing: Standing
    licence_id: int | None = None
    broken: tuple[LicenceTerm, ...] = ()


UNLICENSED: Final = Permission(Standing.UNLICENSED)


def permission_for(copy: PageFacts, source: PageFacts, credit: Credit, licences: Iterable[LicenceRecord]) -> Permission:
    """Judge by the licence that suits the copy best; of several that it breaks, the one with fewest broken terms.

    A date that is unknown or ambiguous breaks no term: only certain breaches count. A licence to anyone binds only
    those who use it: outside its columns and dates there is simply no licence.
    """
    judged = []
    for licence in licences:
        if not _is_between(licence, copy, source):
            continue
        broken = _broken(licence, copy, source, credit)
        if not _is_beside(licence, broken):
            standing = Standing.BREACH if broken else Standing.LICENSED
            judged.append(Permission(standing, licence.id, tuple(broken)))
    return min(judged, key=lambda found: (len(found.broken), found.licence_id or 0), default=UNLICENSED)


def _is_between(licence: LicenceRecord, copy: PageFacts, source: PageFacts) -> bool:
    """Return whether the licence covers this source, and is granted to the owner of the copy."""
    terms = licence.terms
    if licence.copier_id is not None and licence.copier_id != copy.owner_id:
        return False
    if licence.owner_id is not None:
        return licence.owner_id == source.owner_id
    if terms.article_url is not None:
        return terms.article_url == source.url
    return terms.author is not None and folded(terms.author) in map(folded, source.authors)


def _is_beside(licence: LicenceRecord, broken: list[LicenceTerm]) -> bool:
    outside = {LicenceTerm.OUTSIDE_COLUMNS, LicenceTerm.NOT_BEGUN, LicenceTerm.EXPIRED}
    return licence.copier_id is None and not outside.isdisjoint(broken)


def _broken(licence: LicenceRecord, copy: PageFacts, source: PageFacts, credit: Credit) -> list[LicenceTerm]:
    terms = licence.terms
    appeared, original = _published(copy), _published(source)
    broken = []
    if credit not in _ENOUGH[terms.requires]:
        broken.append(LicenceTerm.NO_LINK if terms.requires is Credit.LINKED else LicenceTerm.NO_CREDIT)
    if _is_too_early(appeared, original, terms.delay_days):
        broken.append(LicenceTerm.TOO_EARLY)
    if appeared is not None and terms.valid_from is not None and appeared[1] <= terms.valid_from:
        broken.append(LicenceTerm.NOT_BEGUN)
    if appeared is not None and terms.valid_until is not None and appeared[0] >= terms.valid_until:
        broken.append(LicenceTerm.EXPIRED)
    if terms.columns and not any(_is_in_column(source.url, column) for column in terms.columns):
        broken.append(LicenceTerm.OUTSIDE_COLUMNS)
    return broken


def _is_too_early(
    appeared: tuple[datetime, datetime] | None, original: tuple[datetime, datetime] | None, delay_days: int
) -> bool:
    if not delay_days or appeared is None or original is None:
        return False
    return appeared[1] <= original[0] + timedelta(days=delay_days)


def _published(page: PageFacts) -> tuple[datetime, datetime] | None:
    """Return the interval of publication: what its date may mean, else first seen, unless it may be older than that."""
    declared = page.declared
    if declared.at is not None and declared.precision is not Precision.NONE:
        return declared.at, declared.at + SPREAD[declared.precision]
    return None if page.found_by in NOT_SEEN_WHEN_NEW else (page.first_seen_at, page.first_seen_at)


def _is_in_column(url: str, column: str) -> bool:
    """Return whether the address is in the column. `/news/` is a path prefix, by whole parts; `sport` is a part of path
    or host.
    """
    parts = urlsplit(url)
    path = parts.path.casefold().split("/")
    wanted = column.casefold()
    if wanted.startswith("/"):
        prefix = wanted.rstrip("/").split("/")
        return path[: len(prefix)] == prefix
    return wanted in path[:-1] or wanted in parts.netloc.casefold().split(".")
