"""The statements that the signer of a notice ticks, each time that it is sent, and the electronic signature."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from flask_babel import gettext as _

from admin.web import form_fields
from storage.letters.statements import SIGNER_CHARS
from storage.records.correspondence.notices import NoticeForm, Signed

_PLATFORM: Final = (
    "通知人保证：本通知中的陈述和提供的材料真实、有效、合法，通知人是权利人或已获得权利人的合法授权，并对此承担法律责任。",
)
_GOOD_FAITH: Final = (
    "I have a good faith belief that use of the material in the manner complained of is not authorized by the "
    "copyright owner, its agent, or the law."
)
_AUTHORITY: Final = (
    "The information in this notification is accurate, and under penalty of perjury, I am authorized to act on behalf "
    "of the owner of an exclusive right that is allegedly infringed."
)

WORDINGS: Final[Mapping[NoticeForm, tuple[str, ...]]] = {
    NoticeForm.LETTER: (),
    NoticeForm.REGULATION: ("通知人保证本通知内容的真实性，并对此承担法律责任。",),
    NoticeForm.WECHAT: _PLATFORM,
    NoticeForm.TOUTIAO: _PLATFORM,
    NoticeForm.BAIDU: _PLATFORM,
    NoticeForm.DMCA: (_GOOD_FAITH, _AUTHORITY),
    NoticeForm.DSA: (
        "I confirm the bona fide belief that the information and allegations contained in this notice are accurate and "
        "complete.",
    ),
    NoticeForm.SEARCH: (_GOOD_FAITH, _AUTHORITY),
}
"""By form, in the language of the notice."""

SOURCES: Final[Mapping[NoticeForm, tuple[str, ...]]] = {
    NoticeForm.LETTER: (),
    NoticeForm.REGULATION: ("条例 Art. 14; 国家版权局示范格式",),
    NoticeForm.WECHAT: ("《微信公众平台侵权投诉通知书》",),
    NoticeForm.TOUTIAO: ("头条“侵权投诉”",),
    NoticeForm.BAIDU: ("百度“权利通知”",),
    NoticeForm.DMCA: ("17 U.S.C. 512(c)(3)(A)(v)", "17 U.S.C. 512(c)(3)(A)(vi)"),
    NoticeForm.DSA: ("Regulation (EU) 2022/2065 Art. 16(2)(d)",),
    NoticeForm.SEARCH: ("17 U.S.C. 512(d)(3) with 512(c)(3)(A)(v)", "17 U.S.C. 512(d)(3) with 512(c)(3)(A)(vi)"),
}
SIGNATURE_SOURCES: Final[Mapping[NoticeForm, str]] = {
    NoticeForm.REGULATION: "国家版权局示范格式",
    NoticeForm.DMCA: "17 U.S.C. 512(c)(3)(A)(i)",
    NoticeForm.SEARCH: "17 U.S.C. 512(d)(3) with 512(c)(3)(A)(i)",
}
"""Who asks for the signature. Zhiwen asks for it in every form that has statements."""


class NotSignedHere(Exception):
    """A statement is not ticked, or the name is missing. The message says which, in the viewer's language."""


def signed_of_request(form: NoticeForm) -> Signed | None:
    """What the person ticked and signed in this request; None for a form without statements. Raises NotSignedHere."""
    wordings = WORDINGS[form]
    if not wordings:
        return None
    missing = [number for number in range(1, len(wordings) + 1) if not form_fields.is_ticked(f"statement_{number}")]
    if missing:
        numbers = ", ".join(map(str, missing))
        raise NotSignedHere(_("Tick each statement yourself; missing: %(numbers)s.", numbers=numbers))
    signer = form_fields.line("signer", SIGNER_CHARS)
    if not any(letter.isalpha() for letter in signer):
        raise NotSignedHere(_("Sign with your full name."))
    return Signed(signer, wordings, datetime.now(UTC))
