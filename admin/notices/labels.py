"""Labels of notices: what a form is for, where an element is filled in, the parties, and acts in the audit log."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from admin.notices.elements import Key, Place
from storage.records.correspondence.notices import NoticeForm

NOTICE_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "notice_meaning": {
        NoticeForm.REGULATION: _l("To a hosting or linking service in China: the model form of the copyright office."),
        NoticeForm.WECHAT: _l("To the complaint form of WeChat, for articles of a public account."),
        NoticeForm.TOUTIAO: _l("To the complaint form of Toutiao."),
        NoticeForm.BAIDU: _l("To the complaint form of Baidu, for Baijiahao and search results."),
        NoticeForm.DMCA: _l("To the designated agent of a service in the United States."),
        NoticeForm.DSA: _l("To a hosting service in the European Union."),
        NoticeForm.SEARCH: _l("To a search engine, with lists of at most 1,000 addresses."),
    },
    "notice_place": {
        Place.LETTERHEAD: _l("in the letter settings"),
        Place.OWNER: _l("on the owner’s page"),
        Place.CASE: _l("at the cases"),
        Place.HERE: _l("below"),
    },
    "notice_element": {
        Key.SERVICE: _l("Recipient service"),
        Key.SERVICE_CONTACT: _l("Contact of the service"),
        Key.TYPE: _l("Kind of complaint"),
        Key.HOLDER: _l("Rights holder"),
        Key.HOLDER_DETAILS: _l("Document, address and contact of the rights holder"),
        Key.AGENT: _l("Agent"),
        Key.AUTHORITY: _l("Letter of authority"),
        Key.IDENTITY: _l("Identity document and number"),
        Key.IDENTITY_FILES: _l("Copies of identity documents"),
        Key.REPRESENTATIVE: _l("Legal representative"),
        Key.ADDRESS: _l("Postal address"),
        Key.POSTCODE: _l("Postcode"),
        Key.CONTACT: _l("Contact person"),
        Key.TELEPHONE: _l("Telephone"),
        Key.MAIL: _l("Mail address"),
        Key.ACCOUNT: _l("Account complained about"),
        Key.DOMAIN: _l("Domain of the copies"),
        Key.REGISTRATION: _l("Registration number"),
        Key.IP_ADDRESS: _l("IP address of the site"),
        Key.WORKS: _l("Works that were copied"),
        Key.ORIGINALS: _l("Addresses of the originals"),
        Key.LOCATIONS: _l("Addresses of the copies"),
        Key.EXPLANATION: _l("Explanation"),
        Key.OWNERSHIP: _l("Proof of ownership"),
        Key.REQUEST: _l("Request to the recipient"),
    },
}
