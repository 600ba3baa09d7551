"""Facts of notices for tests: 100 varied cases, each from its number alone."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from admin.notices.elements import ELEMENTS
from admin.notices.facts import NoticeFacts, Work
from storage.cases.handout import CopyLine
from storage.records.correspondence.letters import LetterheadRecord
from storage.records.correspondence.notices import NoticeForm
from storage.records.evidence import PageEvidence
from storage.types import Credit, Standing

NAMES = (
    "县报社",
    "縣報社股份有限公司",
    "O'Brien & Söhne GmbH “Presse”",
    "Газета «Правда»",
    "صحيفة الأهرام",
    "한겨레신문 株式会社",
    "𠮷野家 & <b>Ltd</b>",
    "{holder} %(x)s \\n",
    "=HYPERLINK(1)",
    "A" * 190,
)
TITLES = (
    "老桥修好了",
    "",
    "   ",
    "老橋修好了，來往的人又多了起來",
    "The old bridge is open again",
    "Мост снова открыт",
    "<script>alert(1)</script> & co",
    "抄\u202e写\u200b",
    "长" * 300,
    "two\nlines\tand “quotes”",
    "【侵权事实】：Statements: (1)",
    "桥 é ﬁ ＡＢＣ",
)
PATHS = ("{}", "{}?a=1&b=<2>", "%E6%A1%A5/{}", "桥/{}", "long/{}/" + "z" * 300, "{} with blank", "{}#top")
FORMS = tuple(ELEMENTS)
BEGIN = datetime(2026, 3, 1, 15, 59, 59, tzinfo=UTC)

SENDER = LetterheadRecord(
    organisation="县报社",
    contact="林律师",
    telephone="+86 10 5555 0100",
    mail="legal@county.example",
    address="县城大街 1 号\n3 楼",
    postcode="100000",
    signatory="王主任",
    identity="营业执照 91110000MA00000000",
    representative="王主任",
)
INPUTS = {
    "service": "Example Hosting 示例",
    "recipient": "abuse@host.example",
    "capacity": "owner",
    "identity_files": "营业执照复印件",
    "account": "抄写号",
    "ip_address": "192.0.2.7",
    "ownership": "原稿；首发网页的取证记录",
}
AS_AGENT = {"capacity": "agent", "holder": "营业执照 9111; 县城", "authority": "2026-01-01 授权委托书"}


def a_line(url: str, **fields: object) -> CopyLine:
    known = {
        "case_id": 1,
        "title": "",
        "chars": 812,
        "our_share": 0.71,
        "credit": Credit.NONE,
        "broken_terms": (),
        "stands": True,
        "standing": Standing.UNLICENSED,
    }
    return CopyLine(**(known | {"url": url} | fields))  # type: ignore[arg-type]


def some_facts(**inputs: str) -> NoticeFacts:
    """A complete notice about one article on one page."""
    line = a_line("https://copier.example/1")
    work = Work(1, "老桥修好了", "https://county.example/1", "王记者", BEGIN, (line,))
    return NoticeFacts(SENDER, "县报社", "抄写公司", "京ICP备1号", (work,), INPUTS | inputs)


def varied(number: int) -> tuple[NoticeForm, NoticeFacts]:
    """Languages, scripts, odd names, long titles, many pages, agents; complete in all that its form requires."""
    dice = random.Random(number)  # noqa: S311  # repeatable, nothing secret
    form = FORMS[number % len(FORMS)]
    name = NAMES[number % len(NAMES)]
    sender = replace(SENDER, organisation=name, contact=NAMES[(number + 3) % len(NAMES)])
    inputs = {**INPUTS, **(AS_AGENT if number % 3 == 0 else {})}
    if number % 5 == 0:
        inputs["explanation"] = f"{NAMES[(number + 1) % len(NAMES)]}\n第二行 second line"
    works = tuple(_work(dice, number, place) for place in range(dice.choice((1, 1, 2, 7))))
    owner = NAMES[(number + 5) % len(NAMES)]
    return form, NoticeFacts(sender, owner, f"抄写公司{number}", "" if number % 2 else "京ICP备1号", works, inputs)


def _work(dice: random.Random, number: int, place: int) -> Work:
    count = dice.choice((1, 1, 2, 12))
    lines = tuple(_line(dice, f"{number}-{place}-{page}") for page in range(count))
    title = TITLES[(number + place) % len(TITLES)]
    author = dice.choice(("王记者", "", "O'Brien", "Иванов"))
    return Work(number * 10 + place, " ".join(title.split()), f"https://county.example/{number}/{place}", author,
                dice.choice((None, BEGIN + timedelta(days=number))), lines)  # fmt: skip


def _line(dice: random.Random, name: str) -> CopyLine:
    path = dice.choice(PATHS).format(name)
    kept = dice.random() < 0.5  # a coin
    return a_line(
        f"https://copier.example/{path}",
        chars=dice.randint(1, 50_000),
        our_share=dice.choice((0.004, 0.31, 0.995, 1.0)),
        credit=dice.choice(list(Credit)),
        evidence=PageEvidence(7, BEGIN) if kept else PageEvidence(),
        is_by_meaning=dice.random() < 0.2,  # one in five
    )
