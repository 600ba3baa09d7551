"""Rights in an article, as its own page states them. Pure."""

from collections.abc import Iterable
from dataclasses import replace

from fingerprint.normalize import canonicalize
from storage.records.pages import NewArticle
from storage.records.sites import SiteRecord
from storage.sites.agencies import HEAD_CHARS, agency_of, rights_of
from storage.sites.credit_lines import LINE_CHARS
from storage.types import Rights


def with_rights(article: NewArticle, site: SiteRecord | None) -> NewArticle:
    """The article with its rights: as stated, else by its site's rule; a wire story is its
    agency's, whatever either says.
    """
    return replace(
        article,
        rights=rights_of(
            article.rights,
            rule=Rights.UNKNOWN if site is None else site.settings.rights,
            agency=agency_credited(article.credit_lines, article.text),
            own_names=_own_names(site),
        ),
    )


def agency_credited(credit_lines: Iterable[str], text: str) -> str | None:
    """The news agency that an article's own lines of credits or its dateline name, if any."""
    lines = [_folded(line[:LINE_CHARS]) for line in credit_lines]
    return agency_of(lines, _folded(text[:HEAD_CHARS]))


def _own_names(site: SiteRecord | None) -> Iterable[str]:
    return () if site is None else [_folded(site.name), _folded(site.owner_name)]


def _folded(text: str) -> str:
    return canonicalize(text).text
