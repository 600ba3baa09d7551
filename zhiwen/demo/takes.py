"""What the copier takes from whom, and how it hides it."""

from collections.abc import Callable
from dataclasses import dataclass

from zhiwen.demo import disguise
from zhiwen.demo.articles import Tables
from zhiwen.demo.model import Credit, Disguise

EXCERPT_SHARE = 0.3
EMBEDDED_CHARS = 300
# Any number does; a fixed one makes the same sites on every machine.
SEED = 20260301


@dataclass(frozen=True, slots=True)
class Raw:
    """What a copy is made from."""

    texts: tuple[str, ...]
    tables: Tables
    host: str = ""


Maker = Callable[[Raw], str]


@dataclass(frozen=True, slots=True)
class Take:
    """One planted copy, before it becomes a page."""

    sources: tuple[str, ...]
    disguise: Disguise
    make: Maker
    credit: Credit = Credit.NONE
    title: str = ""
    """Empty: the source's own title."""
    hours_later: int = 26
    """How long after its newest source the copy says it was published; negative: it claims to be older."""
    host: str = ""
    """The copier's own article that the passage is put into; it keeps its own title and date."""
    charset: str = "gb2312"
    note_at_end: bool = False
    """The credit stands below the text and not in the byline."""


def _exact(raw: Raw) -> str:
    return raw.texts[0]


def _homophones(share: float) -> Maker:
    return lambda raw: disguise.swap_homophones(raw.texts[0], raw.tables.homophones, share=share, seed=SEED)


def _traditional(raw: Raw) -> str:
    return disguise.to_traditional(raw.texts[0], raw.tables.traditional)


def _paragraphs(raw: Raw) -> str:
    return disguise.shuffle_paragraphs(raw.texts[0], seed=SEED)


def _sentences(raw: Raw) -> str:
    return disguise.shuffle_sentences(raw.texts[0], seed=SEED)


def _excerpt(raw: Raw) -> str:
    return disguise.excerpt(raw.texts[0], chars=round(EXCERPT_SHARE * len(raw.texts[0])), seed=SEED)


def _mixed(raw: Raw) -> str:
    return disguise.mix(*raw.texts)


def _embedded(raw: Raw) -> str:
    return disguise.embed(raw.host, disguise.excerpt(raw.texts[0], chars=EMBEDDED_CHARS, seed=SEED))


def _edited(raw: Raw) -> str:
    return disguise.edit_words(raw.texts[0], raw.tables.synonyms, fillers=raw.tables.fillers, share=0.13, seed=SEED)


def _edited_english(raw: Raw) -> str:
    return disguise.edit_words(raw.texts[0], raw.tables.english_synonyms, share=0.12, seed=SEED)


def _hidden(raw: Raw) -> str:
    twisted = disguise.twist_punctuation(raw.texts[0], seed=SEED)
    return disguise.hide_zero_width(twisted, share=0.15, seed=SEED)


def _full_width(raw: Raw) -> str:
    return disguise.to_full_width(raw.texts[0])


TAKES = (
    Take(("rail-night-shift",), Disguise.EXACT, _exact),
    Take(("county-library",), Disguise.EXACT, _exact, credit=Credit.LINKED, hours_later=9),
    Take(("old-teahouse",), Disguise.HOMOPHONES, _homophones(0.1), title="五毛钱一碗茶，这家老茶馆开了三十八年"),
    Take(("kelp",), Disguise.HOMOPHONES, _homophones(0.3), title="海带是怎么养出来的？看完涨知识", hours_later=75),
    Take(
        ("marathon",),
        Disguise.HOMOPHONES,
        _homophones(0.1),
        credit=Credit.NAMED,
        title="马拉松里的“气球人”是干什么的",
    ),
    Take(
        ("museum-restorer",),
        Disguise.TRADITIONAL,
        _traditional,
        title="三百一十二片的陶罐，他用三年拼起來",
        charset="utf-8",
        hours_later=120,
    ),
    Take(
        ("seal-carving",),
        Disguise.TRADITIONAL,
        _traditional,
        credit=Credit.LINKED,
        title="方寸之間：刻印人的三十七把刀",
        charset="gb18030",
        note_at_end=True,
    ),
    Take(("balcony-garden",), Disguise.PARAGRAPHS, _paragraphs, title="阳台也能种出九十一公斤菜，她是这样做的"),
    Take(("phone-recycling",), Disguise.SENTENCES, _sentences, title="旧手机别乱卖！里面藏着这些秘密"),
    Take(("glacier",), Disguise.EXCERPT, _excerpt, title="冰川还剩多少？数字让人沉默"),
    Take(
        ("birdwatching",),
        Disguise.EXCERPT,
        _excerpt,
        credit=Credit.NAMED,
        title="他数鸟数了十一年",
        note_at_end=True,
    ),
    Take(
        ("waterlogging", "tactile-paving"),
        Disguise.MIXED,
        _mixed,
        title="一座城市的良心，藏在下水道和盲道里",
        hours_later=31,
    ),
    Take(("sleep-lab",), Disguise.EMBEDDED, _embedded, host="host-insomnia"),
    Take(("old-bridge",), Disguise.EMBEDDED, _embedded, host="host-day-trip"),
    Take(("used-books",), Disguise.EDITED, _edited, title="凌晨四点半的旧书摊，藏着多少宝贝", hours_later=50),
    Take(
        ("community-canteen",),
        Disguise.EDITED,
        _edited,
        credit=Credit.LINKED,
        title="十二元一顿饭，社区食堂如何做到不赔钱",
    ),
    Take(("dialect",), Disguise.HIDDEN, _hidden, title="一个方言小组和四百个周末"),
    Take(("data-backup",), Disguise.FULL_WIDTH, _full_width, title="照相馆老板的备份教训，人人都该看看"),
    Take(("night-bus",), Disguise.EDITED, _edited_english, title="The Story of the Last Bus"),
    Take(("counting-swifts",), Disguise.EXACT, _exact, credit=Credit.NAMED),
    # Says it was there first. The web server's own date tells another story.
    Take(("coffee-roasting",), Disguise.EXACT, _exact, title="烘焙咖啡：一爆之后的九十秒", hours_later=-53),
)
