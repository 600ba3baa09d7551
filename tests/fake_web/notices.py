"""Pages with status 200 that stand where an article stood: notices of platforms, and what stands in the way."""

from typing import Final

from tests.fake_web.pages import SENTENCES


def _page(body: str, *, title: str = "提示") -> str:
    return f"<!doctype html><html><head><meta charset=utf-8><title>{title}</title></head><body>{body}</body></html>"


def _framed(notice: str) -> str:
    """A notice among the headlines of other articles, as large portals show it."""
    headlines = "".join(f"<li><a href='/news/{80 + n}'>{text}</a></li>" for n, text in enumerate(SENTENCES * 2))
    return _page(
        f"<nav><a href='/login'>登录后评论</a></nav><div class=main><p>{notice}</p></div>"
        f"<h2>为你推荐</h2><ul>{headlines}</ul>",
        title="江城号",
    )


SAY_IT_IS_GONE: Final = {
    "deleted by its publisher": _page("<h2>该内容已被发布者删除</h2>", title=""),
    "taken down after a complaint": _page("<p>此内容被投诉且经审核涉嫌侵权，无法查看。</p>"),
    "account closed": _page("<p>此帐号已被屏蔽, 内容无法查看</p>"),
    "against the rules": _page(
        "<div>此内容因违规无法查看</div><div>由用户投诉并经平台审核，涉嫌违反相关法律法规</div>"
    ),
    "does not exist": _page("<p>抱歉，您访问的页面不存在或已被删除！</p><a href='/'>返回首页</a>"),
    "article deleted": _page("<p>很抱歉，您所访问的文章已被删除</p><p>3秒后返回首页</p>", title="江城号"),
    "answer deleted": _page("<p>该回答已被删除</p><p>登录查看更多</p>", title="江城问答"),
    "content not there": _page("<p>抱歉，你访问的内容不存在</p>", title="404"),
    "deleted or private": _page("<p>您要找的文章不存在，可能已被作者删除或设为私密</p>"),
    "off the shelves": _page("<p>该文章已下架</p><p>猜你喜欢</p>"),
    "author deleted it": _page("<p>作者已删除该内容</p>"),
    "notice among headlines": _framed("抱歉，该文章已被作者删除"),
    "english notice": _page("<p>This post has been removed.</p>", title="Not available"),
}

STAND_IN_THE_WAY: Final = {
    "asks for a captcha": _page("<p>环境异常</p><p>当前环境异常，完成验证后即可继续访问。</p><a>去验证</a>", title=""),
    "safety check": _page("<p>网络不给力，请稍后重试</p>", title="安全验证"),
    "long captcha": _page(
        "<article><h1>安全验证</h1><p>您的访问过于频繁，为了保护网站的正常运行，请先完成下面的滑块验证。</p>"
        "<p>若您多次看到本页，请检查网络中是否有其他设备正在大量访问本站，或联系客服并提供本页下方的编号。</p></article>"
    ),
    "asks for a log-in": _page("<p>请先登录，登录后即可查看该内容</p><form><input name=user></form>", title="登录"),
    "no permission": _page("<p>您没有访问权限，无法访问该页面</p>"),
    "asked too often": _page("<p>请求过于频繁，请稍后再试</p>"),
    "checks the browser": _page("<h1>Just a moment...</h1><p>Checking your browser</p>", title="Just a moment..."),
    "under maintenance": _page("<p>系统维护中，请稍后再试</p>"),
    "empty": _page(""),
}

REPLACEMENT: Final = """<!doctype html><html lang=zh>
<head><meta charset=utf-8><title>山间茶园的春天</title></head><body>
<nav><a href="/">首页</a></nav><article><h1>山间茶园的春天</h1><p>2026年4月2日 09:10 作者：沈禾</p>
<p>谷雨前的十来天，半山腰的茶农几乎不下山，天刚蒙蒙亮就背着竹篓往坡上走，指尖掐下的芽叶要赶在日头升高以前送进作坊。</p>
<p>今年的雨水比往年多些，老品种抽芽慢，新栽的几亩却长势喜人，合作社算过一笔账，每斤鲜叶的收购价能比去年高出两成。</p>
<p>炒茶的师傅守着铁锅，手掌贴着锅壁翻转，他说火候全凭手感，温度计量不出叶片从涩到香的那一瞬间。</p></article></body></html>"""
"""An article that has nothing to do with the ferry."""

NOTICES: Final = {**SAY_IT_IS_GONE, **STAND_IN_THE_WAY}
