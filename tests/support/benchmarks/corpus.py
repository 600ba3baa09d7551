"""Articles for the benchmark's own tests: the demo's, and as many more as wanted from two small grammars.

A sentence of the grammars is made of short parts, each drawn by itself: two articles share words, and nothing longer.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from zhiwen.demo.articles import articles

CHINESE_SENTENCES = 26
ENGLISH_SENTENCES = 22

_ZH = {
    "T": "清早 午后 傍晚 半夜 去年 上周 秋分 雨季 周末 月底 开春 年关 当晚 次日 正午 入冬 前天 假期 雪后 端午",
    "P": "码头 茶园 祠堂 车间 菜场 桥洞 果林 邮局 渡口 粮仓 戏台 窑厂 学堂 苗圃 盐田 马厩 钟楼 磨坊 驿站 鱼塘 山腰",
    "S": "木匠 船工 会计 校长 护士 牧民 裁缝 司机 花农 厨师 画师 猎户 学徒 矿工 邮差 渔妇 琴师 更夫 铁匠 兽医 店主",
    "V": "修好 丢下 端起 数过 借来 拆掉 量准 包好 卖光 藏起 抬走 晒干 染红 锯断 刻上 拧紧 称过 洗净 捆住 擦亮 翻开",
    "N": "木箱 铜锁 渔网 账本 陶罐 竹篮 旧表 油灯 石磨 棉被 铁锅 马鞍 茶壶 瓦片 种子 蓑衣 信件 药方 胶卷 琴弦 雨伞",
    "A": "破旧 沉重 发亮 潮湿 滚烫 稀罕 便宜 结实 轻巧 古怪 洁白 漆黑 完整 生锈 透明 粗糙 油腻 冰凉",
    "D": "慢慢 悄悄 连忙 一再 终于 索性 照旧 勉强 顺手 独自 轮流 反复 忽然 当面 低头 认真",
    "Q": "三只 两捆 五担 七件 半筐 十几个 四排 六双 九块 一叠 八卷 二十条",
    "R": "没人说话 谁也不急 大家笑了 风停下来 账算清了 狗叫起来 天色暗了 灯又亮了 水涨上来 "
    "价钱谈妥 雨下大了 路修通了 火灭了 船靠岸了 茶凉了 戏散场了",
}
_ZH_PATTERNS = (
    "T的P，S把Q A的N V了。",
    "S D V那Q N，R。",
    "到了T，P边的N比往年A，R。",
    "“N要A的才好，”S D说。",
    "P里只剩Q N，S和S都不肯先V。",
    "为了V Q N，S T就去了P。",
    "R，S D把N V，又V了Q N。",
    "听P的S讲，T的N最A，V起来费劲。",
    "S问：T谁V了P的N？R。",
    "除了A的N，P还有Q N等着S去V。",
    "T一过，R，P的S便D V N。",
)
_EN = {
    "T": "yesterday overnight afterwards tomorrow tonight twice lately meanwhile eventually sometimes somehow nowadays "
    "beforehand seldom thereafter initially",
    "P": "harbour orchard workshop station library chapel quarry market bakery lighthouse meadow tunnel warehouse "
    "courtyard vineyard sawmill cellar bridge theatre railway castle prairie kitchen",
    "S": "carpenter teacher sailor gardener engineer widow porter farmer painter nurse baker student miller plumber "
    "tailor shepherd captain juggler lawyer dentist violinist weaver orphan chemist",
    "V": "repaired carried counted borrowed weighed polished buried painted measured traded folded sharpened "
    "delivered emptied bought guarded invented described praised ignored labelled straightened",
    "N": "barrels ladders lanterns letters blankets apples engines ropes baskets kettles violins maps bottles candles "
    "hinges bricks umbrellas photographs sandwiches telescopes saddles pebbles medicines",
    "A": "broken heavy silver narrow hollow crooked bright frozen secret dusty rusty wooden gentle bitter ancient "
    "spotless yellow enormous fragile invisible mouldy elegant square",
    "D": "slowly quietly barely gladly almost never rarely patiently boldly calmly secretly clumsily",
    "Q": "seven forty nine twelve thirty several eleven many sixty three countless eighteen",
}
_EN_PATTERNS = (
    "T the A S V Q N near the P.",
    "Nobody inside this P had V such A N.",
    "One S D V Q A N; another S laughed.",
    "Behind our P stood Q N, all A, once V by some S.",
    '"Those look A," said an old S, pointing at N.',
    "When P gates closed, Q A N were V.",
    "From P to P, a S D V his N.",
    "Without Q N, how could any S leave their P?",
    "Every S V N; only mine T V them.",
    "A P, A N, an A S: T nothing else remained.",
    "He V it T. She D V hers.",
    "Q N cost more than Q A N, as each S knows.",
    "Was it the S or the S who V those N?",
    "T, V and V again, A N filled the P.",
    "My S friend D V Q of her N for the P.",
    "Rain fell on P and P alike, and N grew A.",
    "To keep N A, ask a S; to keep them V, ask two.",
    "Some N, D V, were A T.",
)
_WORDS_OF = {"zh": {key: words.split() for key, words in _ZH.items()}, "en": {k: v.split() for k, v in _EN.items()}}


def write_corpus(path: Path, *, chinese: int, english: int) -> Path:
    """An import file of so many articles of each language, the demo's own among them. The same every time."""
    with path.open("w", encoding="utf-8") as file:
        for number, (title, text) in enumerate([*_demo(), *_written("zh", chinese), *_written("en", english)]):
            record = {"url": f"https://corpus.invalid/{number}", "title": title, "text": text}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return path


def _demo() -> Iterator[tuple[str, str]]:
    for folder in ("original", "innocent"):
        for article in articles(folder).values():
            # Price lists and forecasts are alike on purpose: the benchmark has families of its own for them.
            if not article.slug.startswith("notice"):
                yield article.title, article.text


def _written(language: str, count: int) -> Iterator[tuple[str, str]]:
    for number in range(count):
        chance = Random(f"{language}/{number}")  # noqa: S311  # texts, no secrets
        sentences = CHINESE_SENTENCES if language == "zh" else ENGLISH_SENTENCES
        paragraphs = [_paragraph(chance, language, sentences // 4) for _ in range(5)]
        yield _sentence(chance, language).strip("。."), "\n".join(paragraphs)


def _paragraph(chance: Random, language: str, sentences: int) -> str:
    between = "" if language == "zh" else " "
    return between.join(_sentence(chance, language) for _ in range(sentences))


def _sentence(chance: Random, language: str) -> str:
    words = _WORDS_OF[language]
    pattern = chance.choice(_ZH_PATTERNS if language == "zh" else _EN_PATTERNS)
    if language == "zh":
        return "".join(chance.choice(words[part]) if part in words else part for part in pattern if part != " ")
    said = " ".join(_english(chance, words, part) for part in pattern.split())
    return said[0].upper() + said[1:]


def _english(chance: Random, words: dict[str, list[str]], part: str) -> str:
    core = part.strip('.,;"')
    # "A" is also an article at the head of a sentence; either will do.
    return part.replace(core, chance.choice(words[core])) if core in words else part
