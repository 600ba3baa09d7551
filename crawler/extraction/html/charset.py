"""Decodes a page by the charset that it declares, checked against its bytes. Pure."""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from crawler.extraction.html.encoding_labels import WIDE, codec_of

DECLARATION_REACH: Final = 4_096
"""Bytes searched for a declaration; browsers search 1,024, but Chinese templates put scripts before it."""

JUDGED_BYTES: Final = 65_536
"""Bytes of a page on which the readings are compared."""

MAX_BROKEN_SHARE: Final = 0.05
"""Characters that no encoding explains. A page cut in the middle of a character has one or two."""

MAX_CONTROL_SHARE: Final = 0.02
"""Control bytes in a text. Pictures and archives have ten times as many."""

DECLARED_BONUS: Final = 0.05
"""Weight of a declaration against the bytes: it decides where two readings are about equally plausible."""

LEAST_WIDE_NULS: Final = 0.2
MOST_STRAY_NULS: Final = 0.05
"""Of the pairs of bytes in UTF-16 of Chinese pages: markup is a fifth of them and more, and 一 ends in a 0 too."""

_SURE_MULTIBYTE: Final = 16
"""Bytes above 127 that are valid UTF-8 throughout by chance: about one text in 2**16."""

SCATTERED_SHARE: Final = 0.8
"""Of the bytes above 127 that stand alone, in Latin scripts; “äß” are two. Han characters leave few alone."""

_MARKED_UP: Final = re.compile(rb"<(?:html|head|meta|body)[\s/>]", re.IGNORECASE)
_TAG: Final = re.compile(
    rb"""<!(?=--).*?(?:-->|\Z)       # a comment; <!--> is a whole one
      |  </?([A-Za-z][^\s/>]*)       # a tag, whose attributes follow
      |  <[!/?][^>]*                 # a document type and the like
    """,
    re.VERBOSE | re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(
    rb"""[\s/]*([^\s=/>]+)                                    # its name
         (?:\s*=\s*(?:"([^"]*)" | '([^']*)' | ([^\s>]*)))?   # its value
    """,
    re.VERBOSE,
)
_XML: Final = re.compile(rb"""^\s{0,99}<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z0-9_:.\-]{2,40})""")
_CHARSET: Final = re.compile(r"(?<![\w\-])charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.\-]{1,40})", re.IGNORECASE)
_CONTROLS: Final = bytes(c for c in range(32) if c not in b"\t\n\r\f\x1b\x00")
_HIGH_RUN: Final = re.compile(rb"[\x80-\xff]+")
_ACCENT: Final = re.compile(rb"(?<![\x80-\xff])[\x80-\xff](?![0-9\x80-\xff])")
"""Not before a digit: the rarest characters of GB 18030 are such pairs."""

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Those of the Encoding Standard. It knows no UTF-32, whose mark begins like that of UTF-16."""
_UNDECLARED: Final = ("utf-8", "gb18030", "big5hkscs")

_NO_SINGLE_BYTES: Final = WIDE | {"utf-8", "gb18030", "big5hkscs", "euc_jp", "iso2022_jp", "cp932", "cp949", "hz"}

# The commonest characters of written Chinese in both scripts. In real text about half of all characters are among
# them, in a text read by the wrong table next to none: that distinguishes the readings.
_COMMON: Final = frozenset(
    "的一是不了在人有我他这個这中大来上国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好"
    "都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此"
    "实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真"
    "這個來國說們為時會著過學對裡後麼沒於還發當無開經頭從動兩長樣現將與進實點種聲話問機給幾業間電門東"
    "，。、；：？！“”（）《》「」"
)


@dataclass(frozen=True, slots=True)
class Decoded:
    text: str
    encoding: str


@dataclass(frozen=True, slots=True)
class _Declared:
    """`codec`: what the header says, else what the page says. `names_utf8`: whether either of them says UTF-8."""

    codec: str | None
    names_utf8: bool


def decode(body: bytes, *, content_type: str = "") -> Decoded | None:
    """The text of `body`, or None if it is not text in any encoding we know. Never raises.

    NULs are left out. As in a browser, a byte order mark overrides the header, and the header the page. A declaration
    is believed unless the bytes speak against it: UTF-8 that is valid throughout is UTF-8, and a reading
    that yields common characters beats one that yields rare ones.
    """
    for mark, marked in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return _decoded(body, marked)
    head, declared = _judged(body), _declared(body, content_type)
    wide = _wide(head, declared.codec)
    if wide:
        return _decoded(body, wide)
    if _is_binary(head):
        return None
    encoding = _chosen(head, declared)
    return None if encoding is None else _decoded(body, encoding)


def _decoded(body: bytes, encoding: str) -> Decoded | None:
    text = _read(body, encoding)
    return None if text is None else Decoded(text.lstrip("\ufeff").replace("\x00", ""), encoding)


def _read(body: bytes, encoding: str) -> str | None:
    try:
        return body.decode(encoding, "replace")
    except (LookupError, ValueError):  # a codec that cannot replace what it does not know
        return None


def _declared(body: bytes, content_type: str) -> _Declared:
    in_header = _first_known([match[1] for match in [_CHARSET.search(content_type)] if match])
    in_page = _first_known(_labels(body[:DECLARATION_REACH]))
    # A declaration that can be read as ASCII cannot be in UTF-16.
    in_page = "utf-8" if in_page in WIDE else in_page
    return _Declared(in_header or in_page, "utf-8" in (in_header, in_page))


def _first_known(labels: Iterable[str]) -> str | None:
    return next(filter(None, map(codec_of, labels)), None)


def _labels(beginning: bytes) -> Iterator[str]:
    """The charsets that a page declares, in the order in which browsers read them."""
    for attributes in _metas(beginning):
        if "charset" in attributes:
            yield attributes["charset"]
        elif attributes.get("http-equiv", "").lower() == "content-type":
            yield from (match[1] for match in [_CHARSET.search(attributes.get("content", ""))] if match)
    yield from (match[1].decode("ascii") for match in [_XML.search(beginning)] if match)


def _metas(page: bytes) -> Iterator[dict[str, str]]:
    """The attributes of each, found as the standard's prescan does: none in a comment or in a value of another tag."""
    at = 0
    while tag := _TAG.search(page, at):
        at, attributes = tag.end(), dict[str, str]()
        while tag[1] and (match := _ATTRIBUTE.match(page, at)):
            value = match[2] or match[3] or match[4] or b""
            attributes.setdefault(match[1].decode("latin-1").lower(), value.decode("latin-1"))
            at = match.end()
        if tag[1] and tag[1].lower() == b"meta":
            yield attributes


def _judged(body: bytes) -> bytes:
    """The first stretch of `body` with a byte above 127: templates begin with long stretches of ASCII."""
    first = _HIGH_RUN.search(body, JUDGED_BYTES) if body[:JUDGED_BYTES].isascii() else None
    start = first.start() if first else 0
    return body[start : start + JUDGED_BYTES]


def _wide(head: bytes, declared: str | None) -> str | None:
    """UTF-16 without a mark: of the two bytes of its markup one is always 0, and always the same one.

    Where anything else is declared, or plausible, the NULs are padding that a browser passes over.
    """
    pairs = len(head) // 2
    high, low = head[0 : 2 * pairs : 2].count(0), head[1 : 2 * pairs : 2].count(0)
    if declared not in (None, *WIDE) or not pairs:
        return None
    if min(high, low) > MOST_STRAY_NULS * pairs or max(high, low) < LEAST_WIDE_NULS * pairs:
        return None
    found = "utf-16-be" if high > low else "utf-16-le"
    others = (_plausibility(head, name, is_declared=False) for name in _UNDECLARED)
    return found if declared or _plausibility(head[: 2 * pairs], found, is_declared=False) >= max(others) else None


def _is_binary(head: bytes) -> bool:
    """A picture or an archive. What is marked up as a page is none, whatever fills its comments."""
    if not head or _MARKED_UP.search(head):
        return False
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return controls > MAX_CONTROL_SHARE * len(head) or head.count(0) > len(head) // 4


def _chosen(head: bytes, declared: _Declared) -> str | None:
    high = len(head) - len(head.translate(None, bytes(range(128, 256))))
    if not high:
        return "hz" if declared.codec == "hz" else "utf-8"
    if (high >= _SURE_MULTIBYTE or declared.names_utf8) and _is_utf8(head):
        return "utf-8"
    if _is_scattered(head, high):
        # One byte a letter: Polish and Turkish pages declare which table, undeclared ones are mostly of Western Europe.
        return "cp1252" if declared.codec is None or declared.codec in _NO_SINGLE_BYTES else declared.codec
    # UTF-16 would have been seen by its NULs.
    said = [] if declared.codec is None or declared.codec in WIDE else [declared.codec]
    readings = dict.fromkeys((*said, *_UNDECLARED))
    scored = [(_plausibility(head, name, is_declared=name == declared.codec), name) for name in readings]
    best, name = max(scored, key=lambda pair: pair[0])
    return name if best > -1 else None


def _is_utf8(head: bytes) -> bool:
    """Whether `head` is valid UTF-8, not counting a character that its end cuts."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _is_scattered(head: bytes, high: int) -> bool:
    """Single high bytes between ASCII letters: accented Latin, not a script of two bytes a character."""
    single = sum(1 for _ in _ACCENT.finditer(head))
    return single >= SCATTERED_SHARE * high and not _is_utf8(head)


def _plausibility(head: bytes, encoding: str, *, is_declared: bool) -> float:
    """Share of common characters among those beyond ASCII, from -∞ (impossible) to about 0.6 (plain Chinese)."""
    text = _read(head, encoding)
    if text is None:
        return -2.0
    beyond = [character for character in text if character > "\x7f"]
    if not beyond:
        return 0.0
    broken = sum(character == "\ufffd" or "\ue000" <= character <= "\uf8ff" for character in beyond)
    if broken > MAX_BROKEN_SHARE * len(beyond) + 1:
        return -2.0
    common = sum(character in _COMMON or _is_own_script(character, encoding) for character in beyond)
    return (common - 3 * broken) / len(beyond) + (DECLARED_BONUS if is_declared else 0.0)


def _is_own_script(character: str, encoding: str) -> bool:
    """Whether a character belongs to the script that `encoding` was made for, other than Chinese."""
    if encoding in ("utf-8", "cp932", "euc_jp", "iso2022_jp"):
        return "\u3040" <= character <= "\u30ff"
    if encoding == "cp949":
        return "\uac00" <= character <= "\ud7a3"
    # cp1252 makes a letter of nearly every byte, so letters prove nothing there; see _is_scattered.
    return encoding not in ("gb18030", "big5hkscs", "cp1252") and character.isalpha()
