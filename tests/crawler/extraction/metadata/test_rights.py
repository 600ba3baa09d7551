"""Whose text an article is: what was stated, its site's rule, and above both an agency's credit."""

from typing import Any

import pytest

from crawler.extraction.metadata.rights import with_rights
from storage.records.sites import SiteRecord, SiteSettings
from storage.types import Rights
from tests.support.factories import an_article, text_of


def a_record(name: str = "县报", rights: Rights = Rights.OWN) -> SiteRecord:
    return SiteRecord(1, 1, f"{name}社", SiteSettings(name=name, start_urls=(), hosts=(), rights=rights))


@pytest.mark.parametrize(
    ("fields", "site", "rights"),
    [
        ({}, None, Rights.UNKNOWN),
        ({}, a_record(), Rights.OWN),
        ({"rights": Rights.LICENSED_IN}, a_record(), Rights.LICENSED_IN),
        ({"credit_lines": ("來源：新華社",)}, a_record(), Rights.AGENCY),
        ({"credit_lines": ("来源：新华社",), "rights": Rights.OWN}, None, Rights.AGENCY),
        ({"credit_lines": ("图片来源：新华社",)}, a_record(), Rights.OWN),
        ({"text": f"新华社北京５月４日电（记者 李四）{text_of(1)}"}, a_record(), Rights.AGENCY),
        ({"text": f"LONDON, May 4 (Reuters) - {text_of(1)}"}, a_record(), Rights.AGENCY),
        ({"text": f"{text_of(1)}他给新华社写了一封信。"}, a_record(), Rights.OWN),
        ({"credit_lines": ("来源：新华社",)}, a_record("新华网"), Rights.OWN),
    ],
    ids=["nothing known", "rule", "stated", "traditional script", "over a statement", "picture", "dateline", "Reuters",
         "mentioned", "its own site"],
)  # fmt: skip
def test_an_article_gets_the_rights_that_its_page_tells(
    fields: dict[str, Any], site: SiteRecord | None, rights: Rights
) -> None:
    article = an_article("one", **({"text": text_of(1)} | fields))

    found = with_rights(article, site)

    assert found.rights is rights
    assert (found.text, found.credit_lines) == (article.text, article.credit_lines)
