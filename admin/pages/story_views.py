"""The story that a page tells: who told it when, and who has it from whom."""

from flask import Blueprint, render_template

from admin.pages.story_picture import LANE_HEIGHT, WIDTH, story_picture
from admin.pages.views import page_or_404
from admin.web.db_session import database
from storage.matches.story_pages import story_of_page

blueprint = Blueprint("story", __name__, url_prefix="/pages/<key:page_id>/story")


@blueprint.get("")
def index(page_id: int) -> str:
    page = page_or_404(page_id)
    story = story_of_page(database(), page)
    drawn = story_picture(story)
    return render_template(
        "pages/story.html",
        page=page,
        story=story,
        drawn=drawn,
        by_id={teller.page.id: teller for teller in drawn.tellers},
        lane_height=LANE_HEIGHT,
        width=WIDTH,
    )
