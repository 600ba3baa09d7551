"""Phrases that identify lines around an article: dates and names above it, notices and neighbours below.

Patterns for single lines as published; each is bounded by the line's beginning or by what it repeats.
"""

import re
from typing import Final

_FLAGS: Final = re.VERBOSE | re.IGNORECASE

META: Final = re.compile(
    r"""(?:19|20)\d\d\s?[-/.年]\s?\d{1,2} | \d{1,2}月\d{1,2}日 | \d{1,2}:\d\d
      | (?: 来源|來源|作者|编辑|編輯|记者|責編|责编|发布|發布|发表|發表|编写|更新|分类|分類|标签|標籤|专栏|栏目 )
        (?: 时间|日期|于|人 )? \s? (?: [:：|/丨] | $ )
      | (?: 阅读|閱讀|浏览|瀏覽|点击|评论|評論|字数|字數|字號|字号|阅读时长|分享|收藏|举报 )
        (?: 量|数|数量|次数|总计|时长|到 )? \s? (?: [:：|(（\d] | $ )
      | \d\s?(?: 次|人|条|个 )? (?: 阅读|浏览|点击|评论|收藏|赞 ) | 原文链接 | 您所在的位置 | 当前位置 | 首页\s?[>»/]
      | ^\W{0,4}(?:posted|published|updated|by|views?|comments?|tags?|categor(?:y|ies)|share)\b
      | \b(?:posted|published|updated|written)\s?(?:by|on|at|in|:) | [|·•—–-]\s?by\b | \bmin(?:ute)?s?\ read\b
      | \d\s?(?:views?|comments?|shares?)\b | \b(?:tags?|categor(?:y|ies))\s?: | \bhome\s?[>»/]
      | \b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s\d{1,2},?\s(?:19|20)\d\d\b
      | \b\d{1,2}\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,?\s(?:19|20)\d\d\b
    """,
    _FLAGS,
)
"""Words of a short line, no sentence, that describes the article."""

SENTENCE: Final = re.compile(r"[。！？；!?;]|，.{8,60}，|\.\s")

SENTENCE_END: Final = re.compile(r"[。！？；…!?;.][”’」』）)\]\"'*»“]{0,3}$")

DATE_LIKE: Final = re.compile(r"(?:19|20)\d\d|\d{1,2}[:.]\d\d|\d{1,2}[./]\d{1,2}[./]")

NOTICE: Final = re.compile(
    r"""\W{0,4}(?:
        (?:特别|免责|版权|重要|风险|郑重|网站)?(?:声明|提示|说明)\s?[:：]
      | (?:版权|著作权)(?:声明|归|属|所有|信息|协议) | 许可协议 | 除特别(?:声明|注明) | 若无特别注明
      | 本(?:博客|站|网站|网)所有(?:文章|内容)
      | 本文(?:链接|地址|标题|网址|永久链接|最后更新|作者|由|版权|采用|系|仅代表|来源)
      | 转载(?:请|本文|自|须|需|时) | 未经.{0,12}(?:允许|授权|许可|同意)
      | (?:文章)?(?:作者|来源|链接|标签|分类|归类|关键[词字])\s?[:：|] | 标签
      | 原文(?:链接|地址|标题)\s?[:：] | 原标题\s?[:：]
      | (?:责任|责|值班|本文)?编辑\s?[:：/|丨] | 责编\s?[:：] | (?:审核|校对|监制|审校)\s?[:：]
      | (?:上|前|下|后)一[篇页章] | 阅读(?:下一篇|原文|更多) | 返回.{0,10}(?:首页|顶部|目录|列表)
      | (?:更多|猜你|为你|为您|编辑)?(?:精彩|喜欢|推荐|热门)(?:阅读|内容|文章|新闻|资讯|$)
      | (?:分享|转发)(?:到|至|给|本文|[:：]|$) | 扫码 | 扫一扫 | 扫描 | 长按 | 微信扫
      | (?:点赞|打赏|赞赏|收藏|举报|投诉|反馈)
      | (?:欢迎|请)(?:关注|订阅|扫码|长按) | 关注(?:我们|微信|公众号)
      | (?:网友)?评论(?:\s?[(（]|仅供|区|列表|$) | 暂无评论 | 发表评论 | 我要评论
      | notice: | copyright\b | © | \(c\) | all\ rights\ reserved | please\ enable\ javascript
      | (?:next|previous|prev|older|newer)\s?(?:post|article|page|:)?s?$
      | (?:tags?|categories|filed\ under|share\ this|related|read\ (?:more|next)|you\ may\ also)\b
      )""",
    _FLAGS,
)
"""Beginnings of lines below an article that do not belong to it."""

LINK: Final = re.compile(r"\W{0,4}链接\s?[:：]")
"""The notice that articles contain as well, about pages elsewhere."""

ADDRESS: Final = re.compile(r"https?://[\x21-\x7e]{1,2000}")

RELATED: Final = re.compile(
    r"""\W{0,4}(?:
        (?:相关|推荐|热门|往期|更多|最新|精彩|猜你|为你|为您|大家|编辑|本类)\s?
        (?:阅读|文章|新闻|推荐|报道|链接|资讯|内容|专题|喜欢|都在看|评论|回顾|精彩|标签)
      | 延伸阅读 | 热点(?:推荐|新闻) | (?:网友)?评论 | 你可能(?:也)?(?:喜欢|感兴趣)的?
      | related\s(?:posts|articles|stories|links|content) | you\ (?:may|might)\ also\ like
      | leave\ a\ (?:reply|comment) | recommended(?:\ for\ you)? | more\ (?:from|stories|articles)\b.{0,30}
      | most\ (?:read|popular) | comments? | \d{1,6}\ comments?
      )[\s:：>»\d()（）条]{0,12}""",
    _FLAGS,
)
"""The whole of a heading over links to other articles, or over the comments."""
