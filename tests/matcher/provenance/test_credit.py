"""Credits that are, credits that only look like it, and hostile lines."""

import pytest

from matcher.provenance.credit import EDGE_CHARS, CreditFound, credit_given
from storage.sites.agencies import agency_of, rights_of
from storage.types import Credit, Rights
from tests.support.factories import facts, text_of

PAPER = facts(
    "news", site_name="江城晚报网", owner_name="江城日报社", author="王晓明、Ann Lee", title="老桥今天重新通车"
)
TIMES = facts("times", site_name="The River Times", author="Jane van Dyke", title="The old bridge is open again")

NAMED_LINES = [
    "来源：江城晚报",
    "來源：江城晚報",
    "来源: 江城晚报网",
    "文章来源｜江城晚报",
    "稿源：江城晚报客户端",
    "信息来源：“江城晚报”微信公众号",
    "来源：微信公众号“江城晚报”（ID：jcwb）",
    "来源：新华网、人民网、江城晚报",
    "来源：央视新闻综合江城晚报、新华网",
    "来源 | 江城日报社",
    "出处：《江城晚报》2026年5月4日第3版",
    "转载自江城晚报",
    "本文转载自：江城晚报",
    "本文转自《江城晚报》",
    "转自：公众号【江城晚报】",
    "（摘自《江城晚报》）",
    "选自《江城晚报》2026年第5期",
    "节选自江城晚报",
    "编译自 The River Times、江城晚报",
    "原载《江城晚报》",
    "原载于江城晚报2026年5月4日",
    "首发于江城晚报",
    "本文首发于微信公众号：江城晚报",
    "本文刊于《江城晚报》",
    "本文来自微信公众号“江城晚报”，作者：王晓明",
    "来自 news.example",
    "原文链接：news.example/a/1",
    "经《江城晚报》授权转载",
    "本文已获江城晚报授权",
    "本文由江城晚报授权发布，版权归原作者",
    "版权归江城晚报所有",
    "©江城晚报",
    "感谢江城晚报供稿",
    "作者：王晓明",
    "作者 | 王 晓明",
    "文／王晓明",
    "文/李四 王晓明",
    "本文作者：李四、王晓明",
    "记者 王晓明",
    "江城晚报记者：王晓明",
    "撰文：王晓明 编辑：李四",
    "作者：Ann Lee",
    "By Ann Lee",
    "posted by Ann Lee",
    "王晓明：《老桥今天重新通车》",
    "[3] 王晓明. 老桥今天重新通车[N]. 某报, 2026-05-04.",
    "来源：www.news.example/a/1",
    "转自news.example",
    "来源：江城某报（www.news.example）",
    "原文地址 www.news.example",
]

ENGLISH_LINES = [
    "Source: The River Times",
    "Sources: AP, The River Times",
    "(via The River Times)",
    "Via: the River  Times",
    "Originally published at The River Times",
    "This article was originally published on times.example.",
    "This story first appeared in The River Times.",
    "This post appeared first on The River Times",
    "Reprinted with permission from The River Times",
    "Republished from The River Times under a licence.",
    "Cross-posted from the River Times",
    "Courtesy of The River Times",
    "Photo courtesy of Bob. Text courtesy of The River Times",
    "Credit: The River Times",
    "h/t The River Times",
    "Hat tip to Jane van Dyke",
    "H/T: @Jane van Dyke",
    "By Jane van Dyke",
    "Written by Bob Roe and Jane van Dyke",
    "Author: Jane van Dyke",
    "Read the original article at The River Times",
    "The original article is on times.example",
    "© 2026 The River Times",
    "Copyright 2026 The River Times. All rights reserved.",
]

FALSE_FRIENDS = [
    "消息来源称，江城晚报昨天刊登了一条更正。",
    "有读者来信说，他每天都看江城晚报，已经看了二十年。",
    "据了解，江城晚报将于下月搬迁到新址办公，届时将开放参观。",
    "未经江城晚报授权不得转载",
    "本文未经江城晚报许可，不得转载。",
    "图片来源：江城晚报",
    "江城晚报记者 李四 摄",
    "来源：江城晚报社区居民委员会",
    "来源：新江城晚报社",
    "来源：网络",
    "转载请注明出处",
    "记者问：你怎么看江城晚报昨天的那篇报道？",
    "王晓明昨天出席了老桥的通车仪式，并在现场讲话。",
    "作者认为，桥梁专家王晓明的意见值得重视。",
    "改编自真实故事的电影将在江城晚报的影院上映",
    "来源：news.example.evil.example",
    "来源：mynews.example",
    "来信请寄 editor@news.example",
    "更多游戏请登录news.example查看，客服电话：10086，欢迎体验。",
    "https://evil.example/?u=news.example",
    "https://evil.example/news.example",
    "图片来源：news.example",
    "未经news.example授权不得转载",
    "老桥今天重新通车",
]

ENGLISH_FRIENDS = [
    "Reporters of The River Times were at the scene, and so were we.",
    "The source code was leaked, The River Times said on Monday.",
    "A trivial River Times story",
    "Photo: The River Times",
    "Image courtesy: none. She later left The River Times for a job in Rome.",
    "Standing by the river, times were hard for Jane van Dyke's neighbours.",
    "Source: The Hudson River Timesheet",
]


@pytest.mark.parametrize("line", NAMED_LINES)
def test_a_line_names_the_paper_or_its_author(line: str) -> None:
    found = credit_given(facts("copy", credit_lines=(line,)), PAPER)

    assert found == CreditFound(Credit.NAMED, line)


@pytest.mark.parametrize("line", ENGLISH_LINES)
def test_an_english_line_names_the_paper_or_its_author(line: str) -> None:
    assert credit_given(facts("copy", credit_lines=(line,)), TIMES) == CreditFound(Credit.NAMED, line)


@pytest.mark.parametrize("line", FALSE_FRIENDS)
def test_who_only_mentions_the_paper_does_not_credit_it(line: str) -> None:
    assert credit_given(facts("copy", credit_lines=(line,)), PAPER).credit is Credit.NONE
    assert credit_given(facts("copy", text=f"{text_of(1)}\n{line}"), PAPER).credit is Credit.NONE


@pytest.mark.parametrize("line", ENGLISH_FRIENDS)
def test_who_only_mentions_an_english_paper_does_not_credit_it(line: str) -> None:
    assert credit_given(facts("copy", credit_lines=(line,)), TIMES).credit is Credit.NONE


@pytest.mark.parametrize(
    "line",
    ["原文链接：https://news.example/a", "（转自https://www.news.example/a/1.html）", "来源:http://m.NEWS.example/x。"],
)
def test_an_address_written_out_is_a_link(line: str) -> None:
    assert credit_given(facts("copy", credit_lines=(line,)), PAPER) == CreditFound(Credit.LINKED, line)


@pytest.mark.parametrize(
    "text",
    [
        f"来源：江城晚报\n{text_of(1)}",
        f"{text_of(1)}\n\n（转载自江城晚报）\n责任编辑：李四",
        f"{text_of(1)}（原载《江城晚报》2026年5月4日）",
        f"据《江城晚报》5月4日报道，{text_of(1)}",
        f"江城晚报讯（记者 李四）{text_of(1)}",
        f"据江城晚报（www.jcwb.example）报道，{text_of(1)}",
        f"据江城晚报(www.jcwb.example)5月4日消息，{text_of(1)}",
        f"据《江城晚报》（2026年5月4日）报道，{text_of(1)}",
        f"据本地一家报纸（news.example）报道，{text_of(1)}",
        f"据当地媒体（江城晚报）报道，{text_of(1)}",
        f"江城晚报（news.example）讯 {text_of(1)}",
        f"【江城晚报5月4日讯】{text_of(1)}",
    ],
    ids=[
        "top",
        "bottom",
        "end of the last line",
        "as it reports",
        "its dateline",
        "D6 wide bracket",
        "D6 bracket and day",
        "D6 day in the bracket",
        "D6 host alone",
        "D6 name in the bracket",
        "D6 bracket of a dateline",
        "in brackets",
    ],
)
def test_a_credit_that_the_crawler_left_in_the_text_is_read_at_its_ends(text: str) -> None:
    assert credit_given(facts("copy", text=text), PAPER).credit is Credit.NAMED


def test_a_credit_in_the_middle_of_a_text_is_of_something_else() -> None:
    long = "\n".join(text_of(number, chars=EDGE_CHARS) for number in range(2))

    assert credit_given(facts("copy", text=f"{long}\n来源：江城晚报\n{long}"), PAPER).credit is Credit.NONE


@pytest.mark.parametrize("name", ["佚名", "网络", "本站", "admin", "Unknown", "网", "  ", "人" * 61])
def test_a_name_that_names_nobody_is_credited_by_nobody(name: str) -> None:
    assert credit_given(facts("copy", credit_lines=(f"来源：{name}",)), facts("x", author=name)).credit is Credit.NONE


def test_on_a_host_of_many_authors_only_the_very_page_is_a_credit() -> None:
    source = facts("x", host="mp.weixin.qq.com")  # its address ends in /a

    for link, credit in (
        ("https://mp.weixin.qq.com/s/other", Credit.NONE),
        ("https://mp.weixin.qq.com/a?by=another", Credit.NONE),
        ("https://mp.weixin.qq.com/", Credit.NONE),
        ("http://mp.weixin.qq.com/a/", Credit.LINKED),
    ):
        assert credit_given(facts("copy", credit_links=(link,)), source).credit is credit


HOSTILE = [
    "来源：" + "、" * 100_000,
    "来源：" + "《" * 100_000 + "江城晚报",
    "转自" + "2026" * 50_000,
    "作者：" + "甲、" * 50_000,
    "via " + "the our at in " * 20_000,
    "经" * 100_000 + "江城晚报",
    "江城晚报" * 50_000,
    "by " + "a b and " * 30_000,
    "http" * 60_000,
    "(" * 100_000 + "新华社",
    "\ud800\0来源：" + "\u202e" * 50_000,
]


@pytest.mark.parametrize("line", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_page_is_read_in_no_time(line: str) -> None:
    """Patterns that backtrack would take minutes here."""
    lines = (line,) * 300

    assert credit_given(facts("copy", credit_lines=lines, credit_links=lines, text=line), PAPER).credit is Credit.NONE
    assert agency_of(lines, line) is None


@pytest.mark.parametrize(
    ("lines", "head", "agency"),
    [
        (["来源:新华社"], "", "新华社"),
        (["稿源:中新网"], "", "中新社"),
        (["编译自法新社"], "", "AFP"),
        (["source: reuters"], "", "Reuters"),
        (["via ap"], "", "AP"),
        (["来源:江城晚报", "来源:新华网 作者:李四"], "", "新华社"),
        ([], "新华社北京5月4日电(记者 李四)全国", "新华社"),
        ([], "(新华社伦敦5月4日电)", "新华社"),
        ([], "中新网5月4日电 据", "中新社"),
        ([], "london (reuters) - the bridge", "Reuters"),
        ([], "washington, may 4 (ap) — the bridge", "AP"),
        (["图片来源:新华社"], "", None),
        (["新华社记者 李四 摄"], "", None),
        (["来源:江城晚报 图:新华社"], "", None),
        (["source: nap"], "", None),
        # D7: behind a headline that was glued to the text.
        ([], "全县通柏油路新华社沈阳5月24日电(记者周保华)台安县", "新华社"),
        ([], "公布重大案件 6人被执行中新社北京六月二十五日电 明天", "中新社"),
        ([], "华人受害者多不愿外扬中新网(微博)10月16日电 据报道", "中新社"),
        ([], "互联网圆桌会议闭幕人民网北京7月23日电 第二届", "人民网"),
        ([], "(4)内容: 新华社莫斯科5月14日电苏联总统", "新华社"),
        ([], "国家禁毒委严查娱乐场所据新华社电 昨天,", "新华社"),
        ([], "对话强调储备库建设综合新华社电 第二次", "新华社"),
        ([], "据新华社广州5月8日电 (记者杨广增)不少外地人", "新华社"),
        ([], "本报讯 昨天,据新华社北京5月4日电,国务院决定", None),
        ([], "本县农民投诉后,新华社5月4日电讯播发了消息", None),
        ([], "他至今保存着“新华社北京5月4日电”的原稿", None),
        ([], "本报北京3月8日讯 新华社记者何平、本报记者李四报道", None),
        ([], "邻居给新华社5月4日电话采访过的老人送去", None),
        ([], "据路透社消息,苹果公司将于下月发布新品", None),
        ([], "记者给新华社打了电话", None),
        ([], "the ap style of writing - a guide", None),
        (["来源:江城晚报"], "江城晚报讯", None),
    ],
)
def test_an_agency_is_known_by_its_credit_or_its_dateline(lines: list[str], head: str, agency: str | None) -> None:
    assert agency_of(lines, head) == agency


@pytest.mark.parametrize(
    ("stated", "rule", "agency", "own", "rights"),
    [
        (Rights.UNKNOWN, Rights.OWN, None, [], Rights.OWN),
        (Rights.UNKNOWN, Rights.OWN, "新华社", [], Rights.AGENCY),
        (Rights.OWN, Rights.UNKNOWN, "新华社", ["江城晚报"], Rights.AGENCY),
        (Rights.OWN, Rights.OWN, "新华社", ["新华网江西频道"], Rights.OWN),
        (Rights.LICENSED_IN, Rights.OWN, "AP", [], Rights.LICENSED_IN),
        (Rights.UNKNOWN, Rights.UNKNOWN, None, [], Rights.UNKNOWN),
        (Rights.AGENCY, Rights.OWN, None, [], Rights.AGENCY),
    ],
)
def test_whose_text_it_is(stated: Rights, rule: Rights, agency: str | None, own: list[str], rights: Rights) -> None:
    assert rights_of(stated, rule=rule, agency=agency, own_names=own) is rights
