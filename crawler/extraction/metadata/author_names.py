"""Names of authors: how they are distinguished from addresses, dates, roles and accounts. Pure."""

import re
from typing import Final

from crawler.extraction.metadata.titles import one_line

LONGEST: Final = 60
MOST_WORDS: Final = 8
MOST_NAMES: Final = 5
"""Names that are taken from one place."""

_BEFORE: Final = re.compile(
    r"""^\W{0,3} (?: (?:(?:written|posted|published|reported|reviewed|geschrieben|verfasst|ver[öo]ffentlicht
          |erstellt|publi[ée]|[ée]crit|escrito|publicado|scritto|pubblicato|aktualisiert|ein\s(?:beitrag|artikel|text))\s)?
        (?:by|von|par|por|di|door|av|af)\b
      | (?:autor(?:in|en|es|a)?|authors?|auteurs?|autore|text|texte|texto|verfasser(?:in)?|redakteur(?:in)?|redaktion|
          contributed\sby|words|about\sthe\sauthor|über\sden\sautor|name)\b(?=\s?[:：])
      | (?:text|interview|fotos?|photos?|bilder|illustration(?:en)?)(?:\s?(?:und|and|et|y|&|,|/)\s?
          (?:text|interview|fotos?|photos?|bilder|illustration(?:en)?)){1,3}\s?(?=[:：])
      | (?:autor(?:in)?|author|auteur|auteure)\s(?=(?-i:[A-ZÄÖÜÉ]))
      | (?:作者|编辑|責任編輯|责任编辑|撰文|记者|記者|文)(?=\s?[:：/|丨]) ) \s{0,3}[:：/|丨]?\s{0,3}""",
    re.VERBOSE | re.IGNORECASE,
)
_AFTER: Final = re.compile(
    r"""\s{0,3}(?: [|•·»(（\[<>\n] | \s[-–—]\s | ,?\s{0,2}\d{1,4}[./:] | \s(?:@|https?:)
      | ,?\s(?:am|on|le|el|il|vor|at|um|in|veröffentlicht|published|posted|updated|publicad[oa]|publié|aktualisiert)
        \b.{0,40}?\d
      | \s(?i:alle\s(?:artikel|beiträge)|all\s(?:articles|posts)|more\s(?:articles|posts)|mehr\svon)\b ).*$""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_ADDRESS: Final = re.compile(r"https?:|www\.|@|://|\.(?:com|de|net|org|php|html?)/|[{}<>=\\©]", re.IGNORECASE)
_ACCOUNTS_TEXT: Final = """
    admin administrator wordpressadmin webmaster editor editors editorial redaktion redaction redaccion staff newsroom
    author autor team online webredaktion root superuser anonymous guest gast user moderator unknown unbekannt
"""
_ACCOUNTS: Final = frozenset(_ACCOUNTS_TEXT.split())
_NOT_NAMES_TEXT: Final = """
    share teilen comment comments kommentar kommentare more mehr read follow twitter facebook print email drucken home
    veröffentlicht all alle artikel articles posts posted login profile website view show some reviews tous todos ver
    about über zeige impressum kontakt contact foto fotos photo bild
    log sign register registrieren anmelden einloggen my stand unser unsere
    viel viele vielen danke thank thanks copyright
"""
_ACCOUNT: Final = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)+|[a-z]+(?:\.[a-z]+){2,}|[A-Z]{2,4}")
_ROLE: Final = re.compile(r"\b(?:edited|translated|illustrated|compiled|photographed)\sby\b", re.IGNORECASE)
_PARTICLES_TEXT: Final = "van von vom zu de del della da di du dos das la le el al ter ten den der bin ibn"
_PARTICLES: Final = frozenset(_PARTICLES_TEXT.split())
"""With which a name may begin in small letters."""
_NOT_NAMES: Final = frozenset(_NOT_NAMES_TEXT.split())


def cleaned_name(text: str) -> str:
    """A name without the words before it (“by”), and the dates, roles in brackets and addresses after it."""
    name = one_line(text)[:300]
    for _ in range(2):
        name = _BEFORE.sub("", name, count=1).strip()
    return _AFTER.sub("", name, count=1).strip(' :,;|-–—/·•"“”')


def is_name(text: str) -> bool:
    """Whether a cleaned text can be the name of somebody: of some words, without addresses; figures in a word alone."""
    words = text.split()
    if not 1 < len(text) <= LONGEST or len(words) > MOST_WORDS or not any(map(str.isalpha, text)):
        return False
    if _ADDRESS.search(text) or (len(words) > 1 and any(map(str.isdigit, text))):
        return False
    if _ROLE.search(text) or (_is_plain(words[0]) and text != text.lower()):
        return False
    return sum(map(str.isdigit, text)) <= len(text) // 2 and not _NOT_NAMES.intersection(words[0].lower().split())


def _is_plain(word: str) -> bool:
    return word.isalpha() and word.islower() and word not in _PARTICLES


def is_account(name: str) -> bool:
    """Whether a name is that of a role or an account, or a shorthand: “admin”, “Redaktion”, “jdoe-2”, “JD”."""
    return letters_of(name) in _ACCOUNTS or _ACCOUNT.fullmatch(name) is not None


def letters_of(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
