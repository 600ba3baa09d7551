"""What the fake web says: a news site of our own writing."""

SENTENCES = (
    "清晨的渡口还笼着一层薄雾，第一班轮渡的汽笛把江面叫醒。",
    "老船工说，他在这条江上撑了四十年的篙，水性比自己的脾气还熟。",
    "新修的大桥去年秋天通车之后，来坐轮渡的人一天比一天少。",
    "码头边的面馆照旧五点开门，一碗热汤面卖了二十年没有涨过几回价。",
    "镇上的年轻人大多去了省城，逢年过节才会带着孩子回来看看江水。",
    "文化站打算把旧候船室改成一间小小的陈列馆，收一收老照片和旧船票。",
    "有人提议保留最后两艘木船，让游客也能听一听橹声。",
    "负责航运的工程师拿出一张图纸，上面密密麻麻标着水位和流速。",
    "她说水文站每天记录三次，枯水期要格外留神江心的沙洲。",
    "傍晚时分，几个中学生坐在石阶上写生，把晚霞和桥影一起画了进去。",
    "一位退休教师翻出二十年前的日记，里面写着当年抗洪的每一个夜晚。",
    "天色暗下来，对岸的灯一盏一盏亮起，江风里有桂花的味道。",
)


CORRECTION = "更正：本文昨日所述轮渡班次有误，末班应为傍晚六时半，特此说明，并向读者致歉。"


NOTICE = "江城日报是江边最老的一份报纸，明年满一百岁，社址在渡口街七号，欢迎来稿。"
"""What stands below each article of a part of the site."""

JSON_FEED = '<link rel="alternate" type="application/feed+json" href="/feed.json">'


def story(number: int) -> str:
    """Paragraphs that no other number has."""
    chosen = [SENTENCES[(number * 5 + step * (1 + number % 3)) % len(SENTENCES)] for step in range(9)]
    paragraphs = ["".join(chosen[start : start + 3]) for start in range(0, 9, 3)]
    return "".join(f"<p>{text}这是第{number}篇报道里的记录，编号{number * 7919}。</p>" for text in paragraphs)


def article(number: int, *, head: str = "", charset: str = "utf-8", extra: str = "") -> str:
    title = f"渡口札记之{number}"
    byline = f"2026年3月{1 + number % 28}日 08:30 来源：江城日报 作者：林岸"
    return f"""<!doctype html><html lang="zh">
        <head><meta charset="{charset}"><title>{title} - 江城日报</title>{head}</head>
        <body><nav><a href="/">首页</a> <a href="/list">列表</a></nav>
        <article><h1>{title}</h1><p class="meta">{byline}</p>{story(number)}{extra}</article>
        <footer><a href="/about">关于我们</a></footer></body></html>"""


def shortened(number: int) -> str:
    """What a page shows that keeps its article for subscribers: the first paragraph, and the offer."""
    whole = article(number)
    first_end = whole.index("</p>", whole.index("</p>") + 1) + len("</p>")
    return f"{whole[:first_end]}<p>订阅会员后可阅读全文</p></article></body></html>"


def serial_part(number: int, extra: str = "") -> str:
    """A page of an article on three pages."""
    forth = f"<a href='/serial_{number + 1}.html'>下一页</a>" if number < 3 else ""
    back = f"<a href='/serial{'' if number == 2 else '_2'}.html'>上一页</a>" if number > 1 else ""
    picture = "<meta property='og:image' content='/pictures/ferry.jpg'>"
    return article(50 + number, head=picture, extra=f"<p>{extra}</p><div class='pages'>{back} {forth}</div>")


def list_with_story(number: int, *, heading: str = "<h2><a href='/4.html'>渡口札记之四</a></h2>") -> str:
    """A list that shows an article whole, under a heading that leads to it."""
    head = "<head><title>渡口 | 江城日报</title></head>"
    return f"<html>{head}<body><div>{heading}{story(number)}</div></body></html>"


def link_list(targets: list[str], *, head: str = "") -> str:
    items = "".join(f"<li><a href='{target}'>渡口札记 {target}</a></li>" for target in targets)
    return f"<!doctype html><html><head><title>江城日报</title>{head}</head><body><ul>{items}</ul></body></html>"
