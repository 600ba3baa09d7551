"""The texts of the desk use one term for one thing in both languages, that of docs/glossary.md."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import admin
from admin.api.documentation.guide_zh import FIELDS, OPERATIONS
from crawler.outcomes.refusal_words import REFUSAL_WORDS
from storage.matches.direction_reasons import SENTENCES

ROOT = Path(admin.__file__).parent
GLOSSARY = ROOT.parent / "docs/glossary.md"

OUT = {
    "zh": {
        r"任务进程|工作进程|后台(?:服务|进程)": "后台任务",
        r"把握|置信度": "可信度",
        r"未注明(?!来源)|未署名|未注明出处": "未注明来源；没有写出的用“未标明”",
        r"已署名|来源署名": "已注明来源",
        r"通用文字": "套话或公文用语",
        r"下架|已下线|(?<!未)消失|打不开": "已删除、无法访问",
        r"个(?:新|未决|待处理|已处理)?案件|起(?:新)?案件": "件案件、案件 N 件",
        r"函件|通知函|下架函": "侵权通知书、通知书",
        r"重复来源|来源标题|来源网址": "原文",
        r"抄袭方|被抄方": "转载方；确认后用“侵权方”",
        r"取用": "转载量、重合字数",
        r"(?<!站点)主管(?!部门)": "站点主管",
        r"所有者": "主体",
        r"审核台|工作台": "网页后台",
        r"当前环境": "本系统",
        r"副本": "转载",
        r"主机": "域名",
        r"(?<!文章)段落(?!调换)": "片段",
        r"得分": "评分",
        r"误报": "误判",
        r"对账单": "转载清单",
        r"通知渠道": "提醒渠道",
        r"概览": "总览",
        r"暂存": "暂停发送",
        r"洗稿": "改写",
        r"管理人员(?!、)": "管理员",
        r"您(?:自己)?的(?:文章|站点)|自己的站点": "我方文章、我方站点",
    },
    "en": {
        r"grave|middling|slight": "high, medium, low",
        r"stands?": "is, appears, is listed",
        r"told|tells?(?= (?:of|this))": "notified, reported",
        r"anew": "again",
        r"leave(?= from)|without (?:our |your )?leave": "permission",
        r"could not be had": "could not fetch",
        r"take-downs?|back-ups?|log-ins?": "takedown, backup, login",
        r"put(?:s)? off": "snooze",
        r"hits?": "match",
        r"runs?(?= (?:yet|found|looks|\d))|all runs|last run": "crawl",
        r"somebody|anybody|everybody": "someone, anyone, everyone",
        r"looked at|looking at": "checked, viewed",
        r"as usual|not usual": "normal",
        r"handed in|hand in": "submitted",
        r"begun": "started",
        r"so many": "a plain noun",
        r"is asked for|are asked for|asked about": "queued, searched for",
        r"for good": "permanently",
        r"this once": "only once",
        r"half of the copies are faster|\d+ in 100": "median, 95 %",
    },
}
"""By language: what is out, as a pattern, and what to write instead."""


_LATIN_WORDS = """
A API App Apprise ASCII Asia/Shanghai Atom Authorization C Chromium CSS CSV DMCA DNA DSA GB HTML HH:MM IP JPEG
JSON JSONL KB Lark Playwright MB MHTML OCR OpenTimestamps PDF PNG RDAP README RSS RSSHub SHA-256 Simhash Slack U.S.C.
UTF-8 User-Agent WACZ WARC WHOIS Webhook Wilson Word XPath YYYY-MM-DD docx infini-gram key noarchive noindex
robots.txt Feed cron browser every h adaptive min to g j k m n o p x name@example.org zhiwen doctor serve
status up worker content title author published remove div.article div.ad news/ sport data data.items items
v4_rpj_llama_s4
"""
LATIN = frozenset(_LATIN_WORDS.split())
"""Words in Latin letters that a Chinese text may hold: names, formats, units, keys, and what one types."""

WORD = re.compile(r"[A-Za-z](?:[A-Za-z0-9_@:/+-]|\.(?=[A-Za-z]))*\.?")
PLACE = re.compile(r"%\(\w+\)s|%%|\{\w+\}|</?code>")
HAN = "\u4e00-\u9fff"
HALF_WIDTH = re.compile(
    rf"(?<=[{HAN}”》）])[,;:!?()]|[,;!?()](?=[{HAN}“《（])|(?<=[{HAN}])\.(?!\w)|\.\.\.|(?<!…)…(?!…)"
)
TIGHT = re.compile(rf"[{HAN}][A-Za-z0-9]|[A-Za-z0-9][{HAN}]")
"""Chinese beside Latin letters or figures without the space between them."""


def _messages() -> Iterator[tuple[str, str]]:
    with (ROOT / "translations/zh/LC_MESSAGES/messages.po").open("rb") as file:
        for message in read_po(file, locale="zh"):
            if message.id:
                english = message.id if isinstance(message.id, str) else " / ".join(message.id)
                chinese = message.string if isinstance(message.string, str) else " / ".join(message.string or ())
                yield english, chinese


MESSAGES = tuple(_messages())
WITH_COMMANDS = {*SENTENCES.values(), *REFUSAL_WORDS.values()}
"""Texts of commands and of stored results, which the desk only translates."""
LETTERS = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "templates/evidence").glob("*.txt"))}
CHINESE = [
    *(chinese for _english, chinese in MESSAGES),
    *(text for path, text in LETTERS.items() if path.name.endswith(".zh.txt")),
    *OPERATIONS.values(),
    *FIELDS.values(),
]
ENGLISH = [
    *(PLACE.sub(" ", english) for english, _chinese in MESSAGES if english not in WITH_COMMANDS),
    *(text for path, text in LETTERS.items() if path.name.endswith("letter.en.txt")),
]


@pytest.mark.parametrize(("language", "texts"), [("zh", CHINESE), ("en", ENGLISH)])
def test_no_term_that_is_out_comes_back(language: str, texts: list[str]) -> None:
    edges = (r"\b(?:", r")\b") if language == "en" else ("(?:", ")")
    found = [
        f"“{match.group()}” in “{text[:80]}”, write: {instead}"
        for pattern, instead in OUT[language].items()
        for text in texts
        for match in re.finditer(pattern.join(edges), text, re.IGNORECASE)
    ]

    assert found == []


def test_terms_of_the_glossary_have_the_chinese_of_the_glossary() -> None:
    chinese = {english.casefold(): said for english, said in MESSAGES}
    wrong = [
        f"{form}: {chinese[form]}, glossary: {words}"
        for term, words in _glossary()
        for form in {term, f"{term}s", re.sub("y$", "ies", term)}
        if form in chinese and not any(word in chinese[form] for word in re.split("[、；，]", words))
    ]

    assert wrong == []


def _glossary() -> Iterator[tuple[str, str]]:
    """Each term with its Chinese, but for `key`: the desk has keys of other kinds."""
    for line in GLOSSARY.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| ") else []
        if len(cells) == 4 and cells[0] not in ("term", "key", "bundle, report, letter, statement"):
            yield from ((term, cells[3]) for term in cells[0].split(", "))


def test_the_glossary_itself_has_no_term_that_is_out() -> None:
    words = "\n".join(words for _term, words in _glossary())

    assert [pattern for pattern in OUT["zh"] if re.search(pattern, words)] == []


def test_chinese_texts_hold_no_english() -> None:
    found = {
        word: text[:60]
        for _english, text in MESSAGES
        for word in WORD.findall(PLACE.sub(" ", text))
        if word not in LATIN and not word.startswith("ZHIWEN_")
    }

    assert found == {}


@pytest.mark.parametrize("pattern", [HALF_WIDTH, TIGHT], ids=["full-width punctuation", "a space before Latin"])
def test_chinese_texts_are_set_as_chinese(pattern: re.Pattern[str]) -> None:
    assert [text for _english, text in MESSAGES if pattern.search(PLACE.sub(" ", text))] == []


def test_english_texts_begin_their_words_in_sentence_case() -> None:
    title_case = re.compile(r"^(?:[A-Z][a-z]+ ){2,}[A-Z][a-z]+$")

    assert [english for english, _chinese in MESSAGES if title_case.match(english)] == []
