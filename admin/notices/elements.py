"""The elements of each form of notice, with the law, form or help page that asks for them. One table."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from storage.records.correspondence.notices import NoticeForm


class Key(StrEnum):
    """What an element says; `admin.notices.values` fills it in."""

    SERVICE = "service"
    SERVICE_CONTACT = "service-contact"
    TYPE = "type"
    HOLDER = "holder"
    HOLDER_DETAILS = "holder-details"
    AGENT = "agent"
    AUTHORITY = "authority"
    IDENTITY = "identity"
    IDENTITY_FILES = "identity-files"
    REPRESENTATIVE = "representative"
    ADDRESS = "address"
    POSTCODE = "postcode"
    CONTACT = "contact"
    TELEPHONE = "telephone"
    MAIL = "mail"
    ACCOUNT = "account"
    DOMAIN = "domain"
    REGISTRATION = "registration"
    IP_ADDRESS = "ip-address"
    WORKS = "works"
    ORIGINALS = "originals"
    LOCATIONS = "locations"
    EXPLANATION = "explanation"
    OWNERSHIP = "ownership"
    REQUEST = "request"


class Place(StrEnum):
    """Where an element is filled in."""

    LETTERHEAD = "letterhead"
    OWNER = "owner"
    CASE = "case"
    HERE = "here"


@dataclass(frozen=True, slots=True)
class Element:
    """`label`: in the language of the notice; `{who}` is the rights holder or the agent. `source`: who asks for it."""

    key: Key
    label: str
    source: str
    place: Place = Place.HERE
    is_required: bool = True
    is_of_agent: bool = False
    """Only where the sender acts for the owner."""


_MODEL: Final = "国家版权局示范格式"
_A1, _A2, _A3 = (f"条例 Art. 14({number}); {_MODEL}" for number in (1, 2, 3))
_L: Final = Place.LETTERHEAD


def _person(source: str) -> tuple[Element, ...]:
    """Who complains, as the Chinese forms ask for it."""
    return (
        Element(Key.HOLDER, "权利人姓名/名称", source, Place.LETTERHEAD),
        Element(Key.HOLDER_DETAILS, "权利人证件、地址、联系方式", source, is_of_agent=True),
        Element(Key.AGENT, "代理人姓名/名称", source, _L, is_of_agent=True),
        Element(Key.AUTHORITY, "授权委托书", source, is_of_agent=True),
        Element(Key.IDENTITY, "{who}有效证件（类型及号码）", source, _L),
        Element(Key.IDENTITY_FILES, "身份证明文件（附复印件）", source),
        Element(Key.ADDRESS, "{who}通信地址", source, _L),
        Element(Key.CONTACT, "{who}联系人", source, _L),
        Element(Key.TELEPHONE, "{who}电话", source, _L),
        Element(Key.MAIL, "{who}E-mail", source, _L),
    )


def _platform(source: str, account: str, *, is_required: bool = True) -> tuple[Element, ...]:
    return (
        Element(Key.TYPE, "投诉类型", source),
        *_person(source),
        Element(Key.ACCOUNT, account, source, is_required=is_required),
        Element(Key.WORKS, "被侵权作品", source, Place.CASE),
        Element(Key.LOCATIONS, "被投诉内容链接", source, Place.CASE),
        Element(Key.ORIGINALS, "原创内容链接", source, Place.CASE),
        Element(Key.EXPLANATION, "侵权说明", source, Place.CASE),
        Element(Key.OWNERSHIP, "权属证明材料", source),
        Element(Key.REQUEST, "投诉要求", source),
    )


_C: Final = "17 U.S.C. 512(c)(3)(A)"
_D: Final = "17 U.S.C. 512(d)(3)"
_E: Final = "Regulation (EU) 2022/2065 Art. 16(2)"


def _united_states(law: str, locations: str) -> tuple[Element, ...]:
    return (
        Element(Key.HOLDER, "Copyright owner", f"{law}(vi)", Place.LETTERHEAD),
        Element(Key.AGENT, "Complaining party, authorized to act on behalf of the owner", f"{law}(vi)", _L,
                is_of_agent=True),
        Element(Key.AUTHORITY, "Authority of the complaining party", f"{law}(vi)", is_of_agent=True),
        Element(Key.WORKS, "Copyrighted works claimed to have been infringed", f"{law}(ii)", Place.CASE),
        Element(Key.LOCATIONS, locations, f"{law}(iii)", Place.CASE),
        Element(Key.EXPLANATION, "Explanation", f"{law}(iii)", Place.CASE),
        Element(Key.CONTACT, "Contact person", f"{law}(iv)", _L),
        Element(Key.ADDRESS, "Address", f"{law}(iv)", _L),
        Element(Key.TELEPHONE, "Telephone number", f"{law}(iv)", _L),
        Element(Key.MAIL, "Electronic mail address", f"{law}(iv)", _L),
        Element(Key.REQUEST, "Request", f"{law}(iii)"),
    )  # fmt: skip


ELEMENTS: Final[Mapping[NoticeForm, tuple[Element, ...]]] = {
    NoticeForm.REGULATION: (
        Element(Key.SERVICE, "网络服务提供者名称", _MODEL),
        Element(Key.SERVICE_CONTACT, "网络服务提供者联系方式", _MODEL, is_required=False),
        *_person(_A1)[:6],
        Element(Key.REPRESENTATIVE, "{who}法定代表人", _MODEL, _L),
        *_person(_A1)[6:7],
        Element(Key.POSTCODE, "{who}邮编", _MODEL, _L),
        *_person(_A1)[7:],
        Element(Key.DOMAIN, "涉嫌侵权网站域名", _MODEL, Place.CASE),
        Element(Key.REGISTRATION, "备案号或许可证号", _MODEL, Place.OWNER, is_required=False),
        Element(Key.IP_ADDRESS, "涉嫌侵权网站IP地址", _MODEL),
        Element(Key.WORKS, "侵权内容", _A2, Place.CASE),
        Element(Key.LOCATIONS, "侵权内容网络地址", _A2, Place.CASE),
        Element(Key.EXPLANATION, "侵权事实", _A3, Place.CASE),
        Element(Key.OWNERSHIP, "权属证明及侵权证明材料", _A3),
        Element(Key.REQUEST, "通知要求", _MODEL),
    ),
    NoticeForm.WECHAT: _platform("《微信公众平台侵权投诉通知书》", "被投诉公众号"),
    NoticeForm.TOUTIAO: _platform("头条“侵权投诉”", "被投诉头条号", is_required=False),
    NoticeForm.BAIDU: _platform("百度“权利通知”", "被投诉百家号", is_required=False),
    NoticeForm.DMCA: (
        Element(Key.SERVICE, "To the designated agent of", "17 U.S.C. 512(c)(3)(A)"),
        *_united_states(_C, "Material claimed to be infringing, and where it is"),
    ),
    NoticeForm.DSA: (
        Element(Key.SERVICE, "To the provider of the hosting service", "Regulation (EU) 2022/2065 Art. 16(1)"),
        Element(Key.EXPLANATION, "Why the information is illegal content", f"{_E}(a)", Place.CASE),
        Element(Key.WORKS, "Works concerned", f"{_E}(a)", Place.CASE),
        Element(Key.LOCATIONS, "Exact electronic location (URL)", f"{_E}(b)", Place.CASE),
        Element(Key.HOLDER, "Rights holder", f"{_E}(c)", Place.LETTERHEAD),
        Element(Key.AGENT, "Submitted on behalf of the rights holder by", f"{_E}(c)", _L, is_of_agent=True),
        Element(Key.CONTACT, "Name of the individual or entity submitting the notice", f"{_E}(c)", _L),
        Element(Key.MAIL, "Electronic mail address", f"{_E}(c)", _L),
        Element(Key.REQUEST, "Request", "Regulation (EU) 2022/2065 Art. 16(6)"),
    ),
    NoticeForm.SEARCH: (
        Element(Key.SERVICE, "To the search engine", "17 U.S.C. 512(d)(3)"),
        *_united_states(_D, "Links to be removed, and the material claimed to be infringing to which they lead"),
    ),
}
"""By form, in the order of the notice. Statements and signature follow: `admin.letters.signing.WORDINGS`."""

TITLES: Final[Mapping[NoticeForm, str]] = {
    NoticeForm.REGULATION: "要求删除或断开链接侵权网络内容的通知",
    NoticeForm.WECHAT: "微信公众平台侵权投诉通知书",
    NoticeForm.TOUTIAO: "今日头条侵权投诉通知书",
    NoticeForm.BAIDU: "百度侵权投诉权利通知书",
    NoticeForm.DMCA: "Notification of Claimed Infringement (17 U.S.C. 512(c)(3))",
    NoticeForm.DSA: "Notice of Illegal Content (Regulation (EU) 2022/2065, Article 16)",
    NoticeForm.SEARCH: "Request to Remove Search Results (17 U.S.C. 512(d)(3))",
}

CHINESE: Final = frozenset({NoticeForm.REGULATION, NoticeForm.WECHAT, NoticeForm.TOUTIAO, NoticeForm.BAIDU})

BY_HAND: Final = frozenset({NoticeForm.WECHAT, NoticeForm.TOUTIAO, NoticeForm.BAIDU, NoticeForm.SEARCH})
"""Handed in through a web form: never sent by mail."""


def language_of(form: NoticeForm) -> str:
    return "zh" if form in CHINESE else "en"
