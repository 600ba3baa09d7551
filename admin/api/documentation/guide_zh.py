"""The descriptions of the API in Chinese, for the page of the desk; the OpenAPI document is English. Pure."""

from collections.abc import Mapping
from typing import Final

OPERATIONS: Final[Mapping[str, str]] = {
    "The evidence package of a case (WACZ), made for this request. The header Link leads to its signature.": (
        "案件的证据包（WACZ），应请求即时生成；响应头 Link 指向其签名。"
    ),
    "The detached signature of a package of this case that was downloaded: the newest, or the one with a hash.": (
        "已下载过的本案证据包的独立签名：最新的一份，或指定哈希的一份。"
    ),
    (
        "Countersign a head. The same head again gets the same answer. Refused with 409 and the contradicting signed "
        "head in `errors`: `split-view`, another hash at that number; `shorter-chain`, a number below one that was "
        "heard. Both raise an alert here."
    ): (
        "会签证据链末端。同一证据链末端再次提交，答复不变。拒绝时返回 409，errors 中附与之矛盾的已签名证据链末端："
        "split-view 表示同一编号有另一哈希，shorter-chain 表示编号小于已知编号。两种情况均会在本系统提醒。"
    ),
    "Cases, the last opened first.": "案件列表，最近立案的在前。",
    "Compare a text with all stored texts. Nothing is stored unless `keep` is sent.": (
        "将一篇文章与库中全部文章比对。除非传入 keep，否则不保存任何内容。"
    ),
    "Delete the progress of a backfill; its articles stay.": "删除补录进度；已补录的文章保留。",
    "Hosts proposed as sites. They are watched or ignored at the desk.": (
        "建议作为站点的域名。是否监测或忽略，在网页后台决定。"
    ),
    "Matches, newest first.": "命中列表，最新的在前。",
    "Moves a case: confirms, dismisses, licenses … as the desk does.": "处理案件：确认、排除、授权等，与网页后台相同。",
    "One article by your id.": "按您的编号查询一篇文章。",
    "One case with the pages of the copier and its events.": "一件案件，含转载方页面和处理记录。",
    "One match with its passages.": "一条命中及其重合片段。",
    "One page with its present text.": "一个页面及其当前正文。",
    "One possible retelling with its sentences.": "一条可能的改写及其句子。",
    "One run.": "一次抓取。",
    "One site.": "一个站点。",
    "Pages that search services returned, newest first.": "搜索服务返回的页面，最新的在前。",
    "Pages, the newest first.": "页面列表，最新的在前。",
    "Possible retellings, newest first. Pairs whose wording matches are under `matches`.": (
        "可能的改写列表，最新的在前。文字重合的见 matches。"
    ),
    "Push an article, new or changed. Sending it twice changes nothing the second time. The status is 201 for a new id;"
    " 200 comes with `status`. The article is compared with the store right away.": (
        "推送一篇新文章或改动后的文章。重复推送不产生变化。新编号返回 201；返回 200 时附带 status。文章随即与库比对。"
    ),
    "Push many articles at once, as in a backfill of everything published before. With `backfill`, the position is"
    " stored in the same transaction: after an interruption, ask for it and continue there.": (
        "一次推送多篇文章，例如补录以往发表的全部文章。使用 backfill 时，进度在同一事务中保存；中断后可查询进度并继续。"
    ),
    "Pushed articles, newest first.": "已推送的文章，最新的在前。",
    "Queries to search services, newest first.": "向搜索服务提交的查询，最新的在前。",
    "Runs, newest first.": "抓取列表，最新的在前。",
    "Shows what setting a text aside takes back, and does it if `act` is true.": (
        "显示将一段文字设为不作证据后会撤回哪些结果；act 为 true 时执行。"
    ),
    "Sites, newest first.": "站点列表，最新的在前。",
    "Texts that were set aside, newest first.": "已设为不作证据的文字，最新的在前。",
    "One letter with its answers and terms.": "一封通知书，含答复和期限。",
    "The answers to a letter, newest first, and the terms that run after the newest.": (
        "一封通知书收到的答复，最新的在前；以及最新答复之后的期限。"
    ),
    "The letters and notices that name a case, newest first, each with its answers and terms.": (
        "涉及该案件的通知书，最新的在前，各含答复和期限。"
    ),
    "The progress of a backfill.": "补录进度。",
    "Undo the last decision on a case. A decision that made a licence is undone at the desk.": (
        "撤销案件的上一个决定。建立授权的决定须在网页后台撤销。"
    ),
    "What search services were asked and what came of it, in numbers.": "搜索服务的查询情况及结果统计。",
    "Withdraw an article that you have taken down: its page is marked as gone. Its matches and cases stay.": (
        "撤回您已删除的文章：其页面标记为已删除，命中和案件保留。"
    ),
    "Withdraws a text: the cases come back as they were.": "撤回设置：相关案件恢复原状。",
}

FIELDS: Final[Mapping[str, str]] = {
    "The lines that are signed, as documented.": "被签名的各行文字，格式见文档。",
    "Ed25519, of the statement in ASCII; hexadecimal.": "对 ASCII 声明文字的 Ed25519 签名，十六进制。",
    "The 32 bytes of the public key; hexadecimal.": "公钥的 32 个字节，十六进制。",
    "To whom it is addressed: the kind of notice.": "发给谁：通知的类别。",
    "`pending`: a calendar promised it, which proves nothing yet.": "pending 表示日历服务器已承诺，尚不能证明任何事。",
    "Pages, files, or for the countersignature the head that covers them.": (
        "页面数、文件数；会签则为涵盖它们的证据链末端。"
    ),
    "The newest that is done.": "最近一次完成的时间。",
    "When it is tried again.": "下次重试的时间。",
    "Why, each reason once.": "原因，每种只列一次。",
    "A site's name, on either side.": "任一方的站点名称。",
    "An owner's name, on either side.": "任一方的主体名称。",
    "As published. Passages count its code points.": "按发表时的文字；片段位置按码点计。",
    "Cases that are back.": "恢复的案件。",
    "Cases that it names.": "其中提到的案件。",
    "Cases that it withdrew or made smaller.": "因此撤回或缩小的案件。",
    "Characters of the longest passage.": "最长片段的字数。",
    "Counts of what was done; refusals are under `refused/…`.": "各项计数；被拒的列于 refused/… 下。",
    "Decided cases that rest on it.": "以此为依据且已有决定的案件。",
    "Default: everywhere.": "默认：全部范围。",
    "Empty: the program.": "空值表示由程序执行。",
    "Entries of evidence.": "证据条目。",
    "Even if it is a large part of an article of ours.": "即使它占我方某篇文章的很大部分。",
    "Every page with the same text, first seen first, up to 50.": "正文相同的全部页面，先发现的在前，最多 50 个。",
    "Figures that agree.": "一致的数字个数。",
    "For people: what is wrong and what to do.": "给人看的说明：问题与处理办法。",
    "How the page was found; `search`: a search service returned it.": "页面的发现方式；search 表示由搜索服务返回。",
    "Identifies the kind of problem for programs.": "供程序识别的问题类型。",
    "If it is stored.": "如已入库。",
    "Its number, once it is set aside.": "设置后的编号。",
    "Keep text and result for an hour, 30 days or a year, and return a link that opens them in the desk. Without it"
    " nothing is stored.": "将文章与结果保存 1 小时、30 天或 1 年，并返回可在网页后台打开的链接。不传则不保存。",
    "Least score.": "评分下限。",
    "Least share of the copy that is found in the source.": "疑似抄袭文中出自原文的最低比例。",
    "Matches or candidates left out by a limit.": "因数量上限未列出的命中或候选。",
    "Most entries of a piece.": "每段最多条数。",
    "Names, terms and figures in both that texts on the same subject seldom have.": (
        "双方共有、同题文章中少见的人名、术语和数字。"
    ),
    "Names, terms and figures in both.": "双方共有的人名、术语和数字。",
    "Names, terms and figures that both sentences have. Only in matches by meaning.": (
        "两句共有的人名、术语和数字；仅用于按内容比对的命中。"
    ),
    "Newest first.": "最新的在前。",
    "What runs now, by law.": "当前依法计算的期限。",
    "The date that it bears.": "答复上所载日期。",
    "The day on which it reached you.": "您收到之日。",
    "Of a counter-notice, the day on which it reached the service.": "反通知到达网络服务提供者之日。",
    "Null where the law names no day.": "法律未规定日期时为 null。",
    "The day named is a rest day.": "所定日期为休息日。",
    "False where the holidays of that year are not known yet.": "该年度节假日尚未公布时为 false。",
    "Under which the notice was made.": "通知所依据的法律。",
    "Number of further pages with the same text.": "正文相同的其他页面数。",
    "Of a mail, the earliest moment at which it leaves.": "邮件最早的发出时间。",
    "Of a thread whose text holds more than one.": "正文含多条帖子的主题。",
    "Of its text in UTF-8.": "其正文（UTF-8）的值。",
    "Of our text, at least so much was taken.": "我方文章至少被转载的比例。",
    "Of ours that were asked about.": "已查询的我方文章。",
    "Of ours, of which it has copies.": "被其转载的我方文章。",
    "Of the checked text, 0…1.": "占受检文章的比例，0…1。",
    "Of the copier, with a copy of ours.": "转载方含我方内容的页面。",
    "Of the stored text, 0…1.": "占库中文章的比例，0…1。",
    "Of what the hit shares, how much is in the text.": "命中的重合部分中，有多少在该文字内。",
    "Only where `keep` was sent.": "仅在传入 keep 时返回。",
    "Opened earlier than that.": "在此之前立案。",
    "Opened then or later.": "在此时或之后立案。",
    "Pages found, by state.": "发现的页面数，按状态。",
    "Part of a title or address, on either side.": "任一方标题或网址的一部分。",
    "Part of a title, an address or the copier's name.": "标题、网址或转载方名称的一部分。",
    "Part of the text, where there is an index of texts.": "正文的一部分；须已建正文索引。",
    "Part of the title or the address.": "标题或网址的一部分。",
    "Queries that brought no results.": "没有结果的查询。",
    "Role of the source's site: `original` lists copies of ours.": "原文站点的角色：original 列出我方文章的转载。",
    "Role of the source's site: `original` lists retellings of ours.": "原文站点的角色：original 列出我方文章的改写。",
    "Sentences that follow each other in both texts. Only in a match by meaning.": (
        "双方顺序一致的句子数；仅用于按内容比对的命中。"
    ),
    "Sentences that follow the one before them in both texts.": "双方顺序一致的句子数。",
    "Set where the store is too large to count its texts for each check.": "库过大、文章数为估计值时设置。",
    "Share of this text that is found in the other, 0…1.": "此文出现在另一文中的比例，0…1。",
    "Share that no better match explains, 0…1.": "没有更好的命中可以解释的比例，0…1。",
    "Since when no copy is found there any more.": "自何时起不再发现转载内容。",
    "Since when the copy is removed.": "转载内容删除的时间。",
    "Stories of yours in which its one passage stands, if they make it provisional.": (
        "唯一片段所在的我方文章数（因此列为暂定时）。"
    ),
    "Texts not compared: their fingerprints are still to be recomputed.": "尚未比对的文章：指纹待重算。",
    "The address of one of them.": "其中一个的网址。",
    "The article as published, without navigation.": "发表时的正文，不含导航。",
    "The article as published. Offsets in the answer count its code points.": "发表时的正文；返回的位置按码点计。",
    "The article of ours.": "我方文章。",
    "The article's id in your system: letters, digits and . _ : ~ -": "文章在您系统中的编号：字母、数字及 . _ : ~ -",
    "The case from which it was written.": "据以起草的案件。",
    "The code point of the text at which it begins.": "在正文中开始的码点位置。",
    "The cursor of what follows; null at the end.": "下一段的游标；末尾为 null。",
    "The decision's number in the events of the case.": "该决定在处理记录中的编号。",
    "The first moment after the term.": "期限届满后的第一刻。",
    "The host of the page found.": "所发现页面的域名。",
    "The letter before it.": "此前的通知书。",
    "The look that brought `copy_state`.": "得出 copy_state 的那次复查。",
    "The most that could.": "最多可能一致的个数。",
    "The most that one of them has of ours.": "其中转载我方内容最多的一个。",
    "The name of a search service.": "搜索服务的名称。",
    "The name of a site of ours.": "我方站点的名称。",
    "The name of the site of ours whose article it was found for.": "为其文章搜索而发现此页的我方站点名称。",
    "The owner's name, for the scope `owner`.": "主体名称，用于范围 owner。",
    "The page that both have it from; null if it is not stored.": "双方共同的出处页面；未入库时为 null。",
    "The page that both seem to have it from.": "双方可能的共同出处页面。",
    "The same as HTML, a page or a fragment.": "同一内容的 HTML，整页或片段。",
    "The same as HTML; `text` takes precedence.": "同一内容的 HTML；以 text 为准。",
    "The site of exactly this name.": "名称完全一致的站点。",
    "The site's name, for the scope `site`.": "站点名称，用于范围 site。",
    "The site's name.": "站点名称。",
    "The site's name; by default our site with the host of `url`.": "站点名称；默认为与 url 域名相同的我方站点。",
    "The text as it stands on a page.": "页面上的原文。",
    "Those that were withdrawn instead.": "改为撤回的部分。",
    "Time of publication in ISO 8601; without an offset, in the site's time zone.": (
        "发表时间（ISO 8601）；不带时差时按站点时区。"
    ),
    "URL of the third page; null if it is not stored.": "第三个页面的网址；未入库时为 null。",
    "What a match of the wording retells besides; else null.": "文字命中之外另有的改写部分；没有则为 null。",
    "What proves a match by meaning, in words. Only there.": "按内容命中的依据，文字说明；仅用于此类命中。",
    "When it was taken back or withdrawn.": "收回或撤回的时间。",
    "Where it is published.": "发表网址。",
    "Where it is published; fetched if there is neither text nor html.": "发表网址；未提供 text 和 html 时抓取。",
    "Whether a response of the page's own is kept.": "是否已保存该页面的响应。",
    "Whether its page leaves an undecided case.": "其页面是否会从未决案件中移出。",
    "Whether more hits hold it than were judged.": "是否还有未评估的命中含有它。",
    "Whether the rest is still a match.": "其余部分是否仍构成命中。",
    "Whether to look for retellings and translations, too; takes some 0.1 s more.": (
        "是否同时查找改写和翻译；约多用 0.1 秒。"
    ),
    "Whether to set it aside.": "是否执行设置。",
    "Who is behind the copies: an owner's name, or a host of which no owner is known.": (
        "转载方：主体名称，或主体未知的域名。"
    ),
    "Who set it aside; empty: the command line.": "设置人；空值表示命令行。",
    "Whose text it is; by default as set for the site.": "版权归属；默认按站点设置。",
    "Why it brought no results.": "没有结果的原因。",
    "Why it was left out, or could not be read.": "未处理或无法读取的原因。",
    "Why there is no take-down letter; null where there may be one.": "不能出具通知书的原因；可以出具时为 null。",
    "Why they are similar, in words.": "相似的依据，文字说明。",
    "Why, where it is dismissed.": "排除时的理由。",
    "With a page that only a search service found.": "含仅由搜索服务发现的页面。",
    "Your id; returned in the answer.": "您的编号，原样返回。",
    "`both_from_third`: both have it from another text, and neither from the other.": (
        "both_from_third：双方均出自另一篇文章，并非互相转载。"
    ),
    "`both_from_third`: both may have it from a third page, and neither from the other.": (
        "both_from_third：双方可能均出自第三个页面，并非互相转载。"
    ),
    "`next` of the previous piece; omitted for the first one.": "上一段返回的 next；第一段不传。",
    "`search`: a search service returned it.": "search 表示由搜索服务返回。",
    "article, thread, recipe, product, …": "article（文章）、thread（主题帖）、recipe（食谱）、product（商品）等",
}
