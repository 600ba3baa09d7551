"""备案号: the numbers under which sites of mainland China are registered, as their footers show them. Pure.

Forms: the filing (京ICP备12345678号, a site of it 京ICP备12345678号-1), the licence (京ICP证030173号) and the police's
(京公网安备11010102000001号). By 互联网信息服务管理办法 Art. 12, a site shows its number on the front page.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

LONGEST_TEXT: Final = 400_000
MOST_NUMBERS: Final = 10

_PROVINCES: Final = "京津冀晋蒙辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川蜀贵黔云滇藏陕甘陇青宁新"
"""The short names of the 31 provinces of the mainland; 四川, 贵州, 云南 and 甘肃 have two."""
_GAP: Final = r"[\s\u3000]{0,3}"
_FILING: Final = re.compile(
    rf"([{_PROVINCES}]){_GAP}ICP{_GAP}备{_GAP}(?:第{_GAP})?(\d{{10}}|\d{{8}})(?!\d){_GAP}号?(?:{_GAP}[-－—–]{_GAP}(\d{{1,4}}[A-Z]?)(?![\dA-Za-z]))?",
    re.IGNORECASE,
)
_LICENCE: Final = re.compile(rf"([{_PROVINCES}]){_GAP}ICP{_GAP}证{_GAP}(\d{{6,8}})(?!\d){_GAP}号?", re.IGNORECASE)
_POLICE: Final = re.compile(rf"([{_PROVINCES}]){_GAP}公网安备{_GAP}(\d{{13,14}})(?!\d){_GAP}号?")
_WIDE: Final = {ord("０") + digit: str(digit) for digit in range(10)} | {
    ord(wide): plain for wide, plain in zip("ＩＣＰｉｃｐ", "ICPicp", strict=True)
}


class RegistrationForm(StrEnum):
    FILING = "filing"
    LICENCE = "licence"
    POLICE = "police"


@dataclass(frozen=True, slots=True)
class Registration:
    """`number` in the one spelling in which it is stored and compared."""

    number: str
    form: RegistrationForm


def registrations_in(text: str) -> list[Registration]:
    """Return the registration numbers in a text, the filings first, each once, at most `MOST_NUMBERS`.

    >>> [one.number for one in registrations_in("粤 ICP备 2021012345号-3")]
    ['粤ICP备2021012345号-3']
    """
    read = text[:LONGEST_TEXT].translate(_WIDE)
    found = [
        *(
            Registration(f"{match[1]}ICP备{match[2]}号" + (f"-{match[3]}" if match[3] else ""), RegistrationForm.FILING)
            for match in _FILING.finditer(read)
        ),
        *(Registration(f"{match[1]}ICP证{match[2]}号", RegistrationForm.LICENCE) for match in _LICENCE.finditer(read)),
        *(Registration(f"{match[1]}公网安备{match[2]}号", RegistrationForm.POLICE) for match in _POLICE.finditer(read)),
    ]
    return list(dict.fromkeys(found))[:MOST_NUMBERS]
