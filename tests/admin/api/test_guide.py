"""The page of the API in Chinese."""

import re

from sqlalchemy import Engine

from admin.api.app import openapi
from admin.api.documentation.guide import guide_of
from tests.support.desk_client import client_of_person, make_app


def test_the_guide_is_chinese_in_the_chinese_desk(engine: Engine) -> None:
    app = make_app(engine)
    with app.app_context():
        guide = guide_of(openapi())
    said = {one.about for one in guide.operations} | {
        member.about for members in guide.shapes.values() for member in members
    }

    page = client_of_person(engine).get("/api").text

    english = {about for about in said if about and about.replace("`", "") in page}
    assert len(english) * 20 < len(said), english
    assert "将一篇文章与库中全部文章比对" in page
    assert re.search(r"权限 check，角色.{1,8}及以上", page)


def test_the_guide_is_english_in_the_english_desk(engine: Engine) -> None:
    page = client_of_person(engine, language="en").get("/api").text

    assert "Compare a text with all stored texts." in page
    assert "将一篇文章" not in page
