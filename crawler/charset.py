"""Bytes to text: what a page declares, checked against what its bytes say. Pure."""

import codecs
import re
from dataclasses import dataclass
from typing import Final

DECLARATION_REACH: Final = 4_096
"""Bytes in which a declaration is looked for; browsers look at 1,024, Chinese templates put scripts before it."""

JUDGED_BYTES: Final = 65_536
"""How much of a page the readings are compared on."""

MAX_BROKEN_SHARE: Final = 0.05
"""Characters that no encoding explains. A page cut in the middle of a character has one or two."""

MAX_CONTROL_SHARE: Final = 0.02
"""Control bytes in a text. Pictures and archives have ten times as many."""

DECLARED_BONUS: Final = 0.05
"""What a declaration is worth against the bytes: it decides where two readings are about as plausible."""

LEAST_WIDE_NULS: Final = 0.2
MOST_STRAY_NULS: Final = 0.05
"""Of the pairs of bytes in UTF-16 of Chinese pages: markup is a fifth of them and more, and 一 ends in a 0 too."""

_SURE_MULTIBYTE: Final = 16
"""Bytes above 127 that are valid UTF-8 throughout by chance: about one text in 2**16."""

_META: Final = re.compile(
    rb"""<meta[^>]{0,500}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.\-]{2,40})  # HTML 5 and http-equiv
      |  <\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9_:.\-]{2,40})    # XHTML
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HEADER: Final = re.compile(r"charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.\-]{2,40})", re.IGNORECASE)
_CONTROLS: Final = bytes(c for c in range(32) if c not in b"\t\n\r\f\x1b\x00")
_HIGH_RUN: Final = re.compile(rb"[\x80-\xff]+")

_ALIASES: Final = {
    # What declares gb2312 is as often GBK, and GB18030 contains both.
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb_2312-80": "gb18030",
    "x-gbk": "gb18030",
    "cp936": "gb18030",
    "hz-gb-2312": "hz",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "shift_jis": "cp932",
    "x-sjis": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "utf8": "utf-8",
    # A declaration that can be read as ASCII cannot be in UTF-16.
    "utf-16": "utf-8",
    "utf-16le": "utf-8",
    "utf-16be": "utf-8",
}
_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_UNDECLARED: Final = ("utf-8", "gb18030", "big5hkscs")

# The commonest characters of written Chinese in both scripts. In real text about half of all characters are among
# them, in a text read by the wrong table next to none: that tells the readings apart.
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


def decode(body: bytes, *, content_type: str = "") -> Decoded | None:
    """The text of `body`, or None where it is not text in any encoding we know.

    NULs are left out. A declaration is believed unless the bytes speak against it: UTF-8 that is valid throughout is
    UTF-8, and a reading that yields common characters beats one that yields rare ones.
    """
    for mark, marked in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return Decoded(_without_nuls(body.decode(marked, "replace").lstrip("\ufeff")), marked)
    head = _judged(body)
    wide = _wide(head)
    if wide:
        return Decoded(_without_nuls(body.decode(wide, "replace")), wide)
    if _is_binary(head):
        return None
    declared = declared_encodings(body, content_type=content_type)
    encoding = _chosen(head, declared)
    if encoding is None:
        return None
    return Decoded(_without_nuls(body.decode(encoding, "replace")), encoding)


def declared_encodings(body: bytes, *, content_type: str) -> tuple[str, ...]:
    """Codec names from the header and the page itself, in that order, as far as Python knows them."""
    labels = [match[1] for match in [_HEADER.search(content_type)] if match]
    labels.extend((found[1] or found[2]).decode("ascii") for found in _META.finditer(body[:DECLARATION_REACH]))
    known = (_codec(label) for label in labels)
    return tuple(dict.fromkeys(name for name in known if name))


def _judged(body: bytes) -> bytes:
    """The first stretch of `body` that has any byte above 127: templates begin with much that is ASCII."""
    first = _HIGH_RUN.search(body, JUDGED_BYTES) if body[:JUDGED_BYTES].isascii() else None
    start = first.start() if first else 0
    return body[start : start + JUDGED_BYTES]


def _wide(head: bytes) -> str | None:
    """UTF-16 without a mark: of the two bytes of its markup one is always 0, and always the same one."""
    pairs = len(head) // 2
    high, low = head[0 : 2 * pairs : 2].count(0), head[1 : 2 * pairs : 2].count(0)
    if min(high, low) > MOST_STRAY_NULS * pairs or max(high, low) < LEAST_WIDE_NULS * pairs or not pairs:
        return None
    return "utf-16-be" if high > low else "utf-16-le"


def _codec(label: str) -> str | None:
    lowered = label.lower()
    try:
        return codecs.lookup(_ALIASES.get(lowered, lowered)).name
    except LookupError:
        return None


def _is_binary(head: bytes) -> bool:
    if not head:
        return False
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return controls > MAX_CONTROL_SHARE * len(head) or head.count(0) > len(head) // 4


def _chosen(head: bytes, declared: tuple[str, ...]) -> str | None:
    high = len(head) - len(head.translate(None, bytes(range(128, 256))))
    if not high:
        return "hz" if "hz" in declared else "utf-8"
    if (high >= _SURE_MULTIBYTE or "utf-8" in declared) and _is_utf8(head):
        return "utf-8"
    if _is_scattered(head, high):
        return "cp1252"
    readings = dict.fromkeys((*declared, *_UNDECLARED))
    scored = [(_plausibility(head, name, declared=name in declared), name) for name in readings]
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
    single = sum(1 for run in _HIGH_RUN.finditer(head) if len(run[0]) == 1)
    return single > 0.9 * high and not _is_utf8(head)


def _plausibility(head: bytes, encoding: str, *, declared: bool) -> float:
    """Share of common characters among those beyond ASCII, from -∞ (impossible) to about 0.6 (plain Chinese)."""
    text = head.decode(encoding, "replace")
    beyond = [character for character in text if character > "\x7f"]
    if not beyond:
        return 0.0
    broken = sum(character == "\ufffd" or "\ue000" <= character <= "\uf8ff" for character in beyond)
    if broken > MAX_BROKEN_SHARE * len(beyond) + 1:
        return -2.0
    common = sum(character in _COMMON or _is_own_script(character, encoding) for character in beyond)
    return (common - 3 * broken) / len(beyond) + (DECLARED_BONUS if declared else 0.0)


def _is_own_script(character: str, encoding: str) -> bool:
    """Whether a character belongs to the script that `encoding` was made for, other than Chinese."""
    if encoding in ("utf-8", "cp932", "euc_jp", "iso2022_jp"):
        return "\u3040" <= character <= "\u30ff"
    if encoding == "cp949":
        return "\uac00" <= character <= "\ud7a3"
    # cp1252 makes a letter of nearly every byte, so letters prove nothing there; see _is_scattered.
    return encoding not in ("gb18030", "big5hkscs", "cp1252") and character.isalpha()


def _without_nuls(text: str) -> str:
    return text.replace("\x00", "")
