"""Lines at the edges of a text that are notices by their form; what a text says is none of them."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerprint.compute import analyse
from matcher.boilerplate.classifier import gram_index
from matcher.discounts.notices import _BEGINS, is_notice, may_begin, notice_units
from matcher.judgement.judge import judge
from tests.support.factories import story, text_of

NOTICE = (
    "转载请注明出处：河畔网（https://river.example/a/17），本站所有文章均采用署名-非商业性使用-相同方式共享许可协议，"
    "未经书面同意，任何人不得以任何方式摘编、镜像或另行出版，违者将依照有关法律追究责任，欢迎读者来信指出错漏。"
)


def is_match(left: str, right: str) -> bool:
    return judge(analyse(left).initials, analyse(right).initials, boilerplate=gram_index(())).is_match


@pytest.mark.parametrize(
    "line",
    [
        NOTICE,
        "本文由周临川翻译，河畔译社荣誉推出，转载请先联系我们。",
        "版权声明：本文为原创文章。",
        "本作品采用知识共享署名 4.0 国际许可协议进行许可。",
        "【作者简介】他在海边教数学。",
        "欢迎关注微信公众号“江边夜读”，每天一篇。",
        "译者：周临川  校对：沈一舟",
        "原文 https://river.example/archives/2020/17.html",
        "© 2026 River Press. All rights reserved.",
        "This work is licensed under CC BY-SA 4.0.",
        "微信搜索“江边夜读”，后台回复“书单”。",
        "公众号：江边夜读",
        "识别下方二维码，加入读者群",
        "本文来自微信公众号：江边夜读（ID：jiangbian），作者：周临川",
        "选题：沈一舟  排版：周临川",
        "监制丨沈一舟",
        "平台声明：该文观点仅代表作者本人，江边号系信息发布平台，江边仅提供信息存储空间服务。",
        "以上内容（如有图片或视频亦包括在内）为自媒体平台“江边号”用户上传并发布，本平台仅提供信息存储服务。",
        "本文仅代表作者观点。",
        "更多精彩内容，请关注江边夜读公众号",
        "点击上方蓝字，关注我们的公众号",
        "返回搜狐，查看更多",
        "打开江边APP，阅读全文",
        "投稿邮箱：a@river.example",
        "违法和不良信息举报电话：010-0000000",
        "江ICP备12345678号-1",
        "江公网安备 11010502030123号",
        "互联网新闻信息服务许可证：11120170006",
    ],
)
def test_a_notice_is_told_by_its_form(line: str) -> None:
    assert is_notice(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "他把原文抄了三遍，译者后来才知道，出版社并没有授权。",
        "转过街角，关于作者的传说就多了起来。",
        "编辑器打开以后，先把字号调大。",
        "微信刚出来的那几年，他每天都要给母亲发一张照片。",
        "公众号越写越长，读的人越来越少。",
        "选题定下来以后，他们吵了一个下午。",
        "以上三种办法他都试过，没有一种管用。",
        "本文要说的是另一件事：代表们为什么投了反对票。",
        "更多的人选择留下来，关注这条河的命运。",
        "点击右上角的按钮，选择“新建”，再输入名称。",
        "打开客户端以后先登录，再选择城市。",
        "投稿以后他等了三个月，没有等到回信。",
        "违法建筑拆了，路就通了。",
        "他办好了许可证，又去补了一张营业执照。",
        "平台上站满了人，列车晚点四十分钟。",
        "We followed the river and slept on the roof. The author of the map was unknown.",
        "承重这件事她专门去问过物业的工程师，地址在 https://river.example/ 上有，走过去要一刻钟，路上有两座桥。",
    ],
)
def test_what_a_text_says_is_no_notice(line: str) -> None:
    assert not is_notice(line)


def test_a_notice_below_two_articles_is_no_copy_and_one_that_both_quote_in_their_midst_is() -> None:
    one, other = text_of(1, chars=900), text_of(2, chars=900)

    assert not is_match(f"{one}\n{NOTICE}", f"{other}\n{NOTICE}")
    assert not is_match(f"{NOTICE}\n{one}", f"{other}\n{NOTICE}")
    lines = [text_of(number, chars=60) for number in range(40)]
    assert is_match("\n".join([*lines[:10], NOTICE, *lines[10:20]]), "\n".join([*lines[20:30], NOTICE, *lines[30:40]]))


def test_a_page_that_is_nothing_but_a_notice_is_a_copy_of_it() -> None:
    assert not notice_units(analyse(NOTICE).initials).any()
    assert is_match(NOTICE, f"{NOTICE}\n{text_of(1, chars=40)}")


def test_a_copy_is_found_with_its_notice_and_a_text_without_words_has_none() -> None:
    assert is_match(f"{story()}\n{NOTICE}", f"{text_of(1)}\n{story()[100:300]}\n{NOTICE}")
    assert len(notice_units(analyse("").initials)) == 0


BEGINNINGS = """
    特别 免责 版权 著作权 转载 原创 郑重 声明： 版权所有 许可协议 除特别声明 除非另有 若无特别说明 本网站全部
    本文链接 本作品采用 本文由 翻译 转载请 欢迎 未经 允许 原文 文章 作者： 译者 甲， 编译 校对 审校 责编
    责任编辑/ 整理 来源| 出处 链接 地址: 作者简介 关于我们 扫码 长按 敬请 关注 公众号 订阅 about the author
    COPYRIGHT copyright © (C) (c) all rights reserved This work is licensed under Licensed originally published
    on First appeared in re-printed reprinted with Translated by Follow us 【 — … 中 _ 1
    微信搜索 公众号： 识别 二维码 本文来自 选题： 监制丨 排版/ 美编： 统筹： 策划： 终审： 复审： 初审： 值班编辑：
    平台声明： 以上内容 上述文章 该文 仅代表 更多 精彩 点击上方 返回搜狐 查看 打开APP 阅读 举报电话： 投诉热线：
    投稿邮箱： 商务合作电话： 广告合作邮箱： 新闻热线： 违法和不良信息举报
"""


@given(st.lists(st.sampled_from([*BEGINNINGS.split(), " "]), max_size=8).map("".join), st.text(max_size=8))
def test_no_notice_begins_with_another_character(line: str, before: str) -> None:
    for whole in (line, before + line):
        assert may_begin(whole) or not _BEGINS.match(whole)


@pytest.mark.parametrize("written", [str.lower, str.upper, str.title], ids=["lower", "upper", "title"])
@pytest.mark.parametrize(
    "line",
    [
        *("copyright 2024 a daily paper", "© 2024 a daily paper", "(c) 2024 a daily paper", "all rights reserved."),
        *("about the author: a. b.", "this work is licensed under", "the article is published under", "licensed under"),
        *("originally published on a site", "first appeared in a paper", "reprinted with permission"),
        *("re-published from a paper", "translated by a. b.", "follow us on", "  - translated from the french"),
    ],
)
def test_a_notice_is_known_in_small_and_capital_letters(line: str, written: Callable[[str], str]) -> None:
    assert is_notice(written(line))
