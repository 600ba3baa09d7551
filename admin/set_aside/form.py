"""The form of a text to set aside: the text, where it proves nothing, and what the person has seen of the effect."""

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from flask import abort, request
from flask_babel import gettext as _

from admin.check.input import NoInput, submitted_input
from admin.web import form_fields
from admin.web.db_session import database
from admin.web.url_converters import as_key
from matcher.boilerplate.set_aside import MOST_CHARS, CannotSetAside
from storage.matches import hits as match_hits
from storage.pages import pages
from storage.records.pages import PageRecord
from storage.records.set_aside import NewSetAside
from storage.sites import owners, sites
from storage.types import SetAsideScope

EVERYWHERE: Final = SetAsideScope.EVERYWHERE.value
_SEPARATOR: Final = ":"


@dataclass(frozen=True, slots=True)
class Asked:
    """A filled form. `scope` as its option says it; `hit_id`: the hit whose passage it is, if it is one's."""

    text: str
    scope: str
    note: str = ""
    hit_id: int | None = None

    @property
    def new(self) -> NewSetAside:
        """The text to set aside. Ends the request for a scope that no option of ours has."""
        kind, _colon, rest = self.scope.partition(_SEPARATOR)
        page = None if self.hit_id is None else _copy_of(self.hit_id)
        new = NewSetAside(self.text, page_id=None if page is None else page.id, note=self.note)
        if kind == SetAsideScope.SITE and (number := as_key(rest)) is not None and _has_site(number):
            return replace(new, scope=SetAsideScope.SITE, site_id=number)
        if kind == SetAsideScope.OWNER and rest and len(rest) <= form_fields.LONGEST_LINE and _is_party(rest, page):
            return replace(new, scope=SetAsideScope.OWNER, owner_key=rest)
        if self.scope != EVERYWHERE:
            abort(400)
        return new

    @property
    def mark(self) -> str:
        """What stands for text and scope, so that only an effect that was shown is carried out."""
        return sha256(f"{self.scope}\n{self.text}".encode()).hexdigest()


def _has_site(site_id: int) -> bool:
    return any(site.id == site_id for site in sites.list_sites(database()))


def _is_party(key: str, page: PageRecord | None) -> bool:
    """Whether it is a known owner, or the party behind the page of the hit."""
    if page is not None and page.owner_key == key:
        return True
    return key in {f"owner:{owner.id}" for owner in owners.list_owners(database())}


def _copy_of(hit_id: int) -> PageRecord | None:
    hit = match_hits.get_hit(database(), hit_id)
    return None if hit is None else pages.page_by_id(database(), hit.copy.page_id)


def submitted() -> Asked | NoInput:
    """The form of this request. A file takes precedence over pasted text."""
    scope = form_fields.line("scope") or EVERYWHERE
    note, hit_id = form_fields.text("note", form_fields.LONGEST_TEXT), as_key(request.form.get("hit", ""))
    file = request.files.get("file")
    if not (file is not None and file.filename) and not form_fields.text("text", 4_000_000):
        return NoInput(_("Paste a text, or choose a file."))
    found = submitted_input()
    return found if isinstance(found, NoInput) else Asked(found.text.strip(), scope, note, hit_id)


def problem_of(error: CannotSetAside) -> str:
    """What is wrong with a text, in the viewer's language."""
    if error.is_short:
        said = _("Too short: so few words appear in many articles by chance. Enter more of the passage.")
    else:
        said = _("Too long: up to %(most)s characters can be set aside at once. Submit it in parts.", most=MOST_CHARS)
    return str(said)


def of_passage(hit_id: int, number: int) -> tuple[Asked, int]:
    """The form for a passage of a hit, counted from 1 in the order of the copy, and how many passages there are. Ends
    the request if there is none. Its text is the source's: the copy may have disguised it.
    """
    hit = match_hits.get_hit(database(), hit_id)
    body = None if hit is None else pages.text_body(database(), hit.source.text_id)
    if hit is None or body is None:
        abort(404)
    ordered = sorted(hit.passages, key=lambda one: (one.left_start, one.left_end))
    if not 1 <= number <= len(ordered):
        abort(404)
    passage = ordered[number - 1]
    scope = scopes_of(hit_id)[0][0]
    return Asked(body[passage.right_start : passage.right_end].strip()[:MOST_CHARS], scope, "", hit_id), len(ordered)


def scopes_of(hit_id: int | None) -> list[tuple[str, str]]:
    """The options of the scope, each with its words: for a hit those of the copying page, narrowest first; for a text
    that is handed in every site and owner.
    """
    everywhere = (EVERYWHERE, _("everywhere"))
    if hit_id is not None and (page := _copy_of(hit_id)) is not None:
        site = [(f"site:{page.site_id}", _("on the site %(name)s", name=page.site_name))] if page.site_id else []
        name = page.owner_name or page.account_name or page.host
        return [*site, (f"owner:{page.owner_key}", _("on all pages of %(name)s", name=name)), everywhere]
    of_sites = [(f"site:{site.id}", _("on the site %(name)s", name=site.name)) for site in sites.list_sites(database())]
    of_owners = [
        (f"owner:owner:{owner.id}", _("on all pages of %(name)s", name=owner.name))
        for owner in owners.list_owners(database())
    ]
    return [everywhere, *of_owners, *of_sites]
