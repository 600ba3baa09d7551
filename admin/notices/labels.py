"""Labels of notices: what a form is for, where an element is filled in, the parties, and acts in the audit log."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from admin.notices.elements import Place
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
}
