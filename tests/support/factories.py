"""Small builders for what tests put into the store."""

import random
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from fingerprint.compute import fingerprint_text
from fingerprint.model import ALGORITHM_VERSION, Fingerprint
from matcher.provenance.page_facts import PageFacts
from storage.engine import transaction
from storage.pages import saving
from storage.records.matches import Evidence, NewMatch, Passage
from storage.records.pages import Declared, FingerprintedArticle, NewArticle, SavedPage
from storage.records.sites import SiteRecord, SiteSettings
from storage.sites import sites
from storage.types import FoundBy, MatchKind, SiteRole
from zhiwen.demo.articles import articles

SEEN = datetime(2026, 5, 4, 8, 0, tzinfo=UTC)

# Two-character words of everyday Chinese: texts made of them have words, initials and seeds like real ones.
_WORD_LIST = (
    "城市 河流 桥梁 工人 早晨 傍晚 学校 老师 学生 图书 报纸 记者 天气 雨水 阳光 山谷 森林 鸟类 船只 港口 车站 火车 "
    "道路 司机 乘客 医院 护士 病人 药品 厨房 蔬菜 水果 市场 价格 商店 顾客 工厂 机器 零件 电池 灯光 窗户 房屋 邻居 "
    "孩子 母亲 父亲 祖父 朋友 同事 会议 计划 预算 项目 合同 银行 贷款 利息 投资 股票 公司 经理 职员 办公 文件 电脑 "
    "软件 数据 网络 信息 通知 规定 法律 法院 律师 警察 案件 证据 调查 报告 研究 科学 实验 样本 结果 温度 压力 速度 "
    "距离 面积 重量 长度 数量 比例 增加 减少 提高 降低 开始 结束 继续 停止 发现 寻找 保护 修理 建造 拆除 打开 关闭 "
    "喜欢 讨厌 相信 怀疑 记得 忘记 安静 热闹 新鲜 陈旧 明亮 昏暗 干燥 潮湿 宽阔 狭窄 遥远 附近 突然 慢慢 终于 已经 "
    "大约 几乎 完全 常常 偶尔 从前 后来 音乐 歌曲 电影 演员 舞台 观众 画家 颜色 雕刻 石头 泥土 沙滩 海浪 岛屿 灯塔 "
    "渔民 网具 农田 稻谷 麦子 棉花 牛羊 牧场 草原 冰川 雪山 湖泊 温泉 地震 火山 陨石 星辰 月亮 望远 镜头 照片 展览"
)
_WORDS = _WORD_LIST.split()


def text_of(number: int, *, chars: int = 600) -> str:
    """A text of its own for each number: any two have nothing in common but words."""
    chosen = random.Random(f"text {number}")  # noqa: S311  # repeatable, nothing secret
    sentences: list[str] = []
    while sum(map(len, sentences)) < chars:
        words = chosen.sample(_WORDS, chosen.randint(4, 9))
        sentences.append("，".join(filter(None, ("".join(words[:4]), "".join(words[4:])))) + "。")
    return "".join(sentences)[:chars]


def story(slug: str = "balcony-garden") -> str:
    """An article of the demo: real prose of about a thousand characters."""
    return articles("original")[slug].text


STORIES: Sequence[str] = tuple(slug for slug, one in articles("original").items() if 700 <= len(one.text) <= 1_200)


def an_article(url: str, text: str, *, hours: float = 0, **fields: Any) -> NewArticle:
    """An article at `url`, seen `hours` after SEEN. A bare word stands for a host of its own."""
    address = url if "://" in url else f"https://{url}.example/a"
    defaults: dict[str, Any] = {"found_by": FoundBy.SPIDER, "fetched_at": SEEN + timedelta(hours=hours)}
    return NewArticle(url=address, text=text, **(defaults | fields))


def fingerprinted(article: NewArticle) -> FingerprintedArticle:
    return FingerprintedArticle(article, fingerprint_text(article.text))


def save(session: Session, *found: NewArticle) -> list[SavedPage]:
    return saving.save_pages(session, [fingerprinted(article) for article in found])


def commit(engine: Engine, found: Iterable[NewArticle]) -> list[SavedPage]:
    """Saves in a transaction of its own."""
    with transaction(engine) as session:
        return save(session, *found)


def a_site(
    session: Session, name: str, *, owner: str | None = None, role: SiteRole = SiteRole.WATCHED, **fields: Any
) -> SiteRecord:
    host = fields.pop("host", f"{name}.example")
    settings = SiteSettings(name=name, start_urls=(f"https://{host}/",), hosts=(host,), role=role, **fields)
    return sites.add_site(session, settings, owner=owner)


def a_fingerprint(
    *,
    simhash: int | None = None,
    slices: Iterable[int] = (),
    seeds: Iterable[int] = (),
    version: int = ALGORITHM_VERSION,
) -> Fingerprint:
    """A made-up fingerprint, to ask what is found by it."""
    return Fingerprint(version, simhash, 0, 0, tuple(sorted(set(slices))), tuple(sorted(set(seeds))))


def save_fingerprints(session: Session, fingerprints: Iterable[Fingerprint]) -> list[int]:
    """One text and page for each; returns the text ids."""
    items = [
        FingerprintedArticle(an_article(f"https://made-up.example/{number}", f"第{number}篇"), found)
        for number, found in enumerate(fingerprints)
    ]
    return [saved.text_id for saved in saving.save_pages(session, items)]


def a_match(low: int, high: int, **fields: Any) -> NewMatch:
    defaults: dict[str, Any] = {
        "algorithm_version": ALGORITHM_VERSION,
        "kind": MatchKind.NEAR,
        "score": 0.9,
        "low_share": 0.8,
        "high_share": 0.4,
        "longest": 100,
        "passages": (Passage(0, 100, 20, 120, 1.0),),
        "evidence": Evidence(3, 4, 5, 100, 0),
    }
    return NewMatch(low_text_id=low, high_text_id=high, **(defaults | fields))


def facts(url: str, **fields: Any) -> PageFacts:
    host = f"{url}.example"
    defaults: dict[str, Any] = {
        "host": host,
        "site_name": "",
        "author": "",
        "title": "",
        "role": None,
        "found_by": FoundBy.SPIDER,
        "first_seen_at": SEEN,
        "declared": Declared(),
        "credit_lines": (),
        "credit_links": (),
        "canonical_link": None,
    }
    return PageFacts(url=f"https://{host}/a", **(defaults | fields))
