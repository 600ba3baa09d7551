"""What the README of a bundle says, in both languages: what is in it, how to check it, what it proves and what not."""

from collections.abc import Sequence
from typing import Final

from admin.evidence.dossier import Dossier
from admin.web.invisible_characters import marked
from storage.records.evidence import CaptureState

_CHINESE: Final = """\
案件 {case} 的证据包
====================

我方原文：{ours}
转载方：  {copier}
制作时间：{made}，制作人：{by}
证据链末端：{head}

内容
----
report.zh.html, report.en.html   可直接阅读、打印的报告
case.json                        案件、页面、时间、比例、证据条目（供程序读取）
texts/<SHA-256>.txt              双方正文，与库中逐字节一致，文件名即其 SHA-256
alignment/<编号>.json            重合段落：以码位计的起止位置、改动类型、方向与署名依据
chain/<编号>.entry               证据链条目，逐字节即其哈希所覆盖的内容
warc/<SHA-256>.warc.gz           服务器当时的响应（WARC 格式，任何网页存档工具都能打开）；
                                 所列 {pages} 个转载页面中 {kept} 个已取证
CHAIN.SHA256                     证据链中记载的哈希
SHA256SUMS                       本包各文件的哈希

如何核验（无需联网，也无需本系统）
----------------------------------
1. 解压后在该目录执行：
       sha256sum -c SHA256SUMS
   全部显示 OK，说明本包自制作以来未被改动。
2. 再执行：
       sha256sum -c CHAIN.SHA256
   全部显示 OK，说明条目、响应文件和正文都与证据链所记哈希一致。
   chain/ 中每个文件的第一行是前一条目的哈希；相邻编号的条目由此首尾相接。
3. 在保存原始数据的机器上执行：
       zhiwen evidence verify{expect}
   说明整条证据链从头到上述末端未被改动、删除、调换或插入。

macOS 上用 shasum -a 256 -c 代替 sha256sum -c。

能证明什么，不能证明什么
------------------------
* 能证明：自证据链末端被记录以来，其之前的内容没有变化。
* 不能单独证明服务器当时确实发送了这些内容：系统运行者本可自行写入。可由他人独立抓取同一页面，或由网页存档佐证。
* 时间取自本机。只有另行记录过的末端（例如寄给第三方、公证或可信时间戳）才能证明时间。
* “谁抄谁”是依据若干线索作出的判断，附有置信度和理由，不是事实认定。
"""

_ENGLISH: Final = """\
Evidence of case {case}
=======================

Our article: {ours}
Copier:      {copier}
Made:        {made} by {by}
Chain head:  {head}

What is in it
-------------
report.zh.html, report.en.html   the report, to be read and printed
case.json                        case, pages, times, shares, entries of the evidence, for programs
texts/<SHA-256>.txt              both sides' texts, byte for byte as stored, named by their SHA-256
alignment/<number>.json          the shared passages: offsets in code points, differences, direction, credit
chain/<number>.entry             entries of the chain: the very bytes that their hashes cover
warc/<SHA-256>.warc.gz           what the servers answered (WARC; every reader of web archives opens it);
                                 {kept} of the {pages} pages of copies listed here were captured
CHAIN.SHA256                     hashes as the chain holds them
SHA256SUMS                       hashes of the files in this bundle

How to check it (without any network, and without this program)
----------------------------------------------------------------
1. Unpack it, and in that folder run
       sha256sum -c SHA256SUMS
   All OK: nothing in this bundle was changed since it was made.
2. Then run
       sha256sum -c CHAIN.SHA256
   All OK: entries, responses and texts have the hashes that the chain of evidence holds.
   The first line of each file in chain/ is the hash of the entry before it: so neighbours are tied to each other.
3. On the machine that holds the originals run
       zhiwen evidence verify{expect}
   It shows that the whole chain up to the head above was not changed, cut, reordered or added to.

On macOS it is shasum -a 256 -c instead of sha256sum -c.

What it proves, and what not
----------------------------
* It proves that nothing before the head was changed since the head was noted.
* It does not prove by itself that the servers really sent this: who runs the program could have written it. A witness
  can: somebody else who captured the same page, or a web archive.
* Times are those of this machine. Only a head that was noted elsewhere (with a third party, a notary, a time stamp)
  proves a time.
* Who copied from whom is a judgement by several clues, with its confidence and its reasons. It is no finding of fact.
"""


def readme(dossier: Dossier, missing: Sequence[str], *, made: str) -> str:
    """Chinese first. `missing`: what is not in the bundle, a line each. `made`: when it was made, with the zone."""
    head = None if dossier.head is None else str(dossier.head)
    known = {
        "case": dossier.case.id,
        "ours": _line(dossier.our_page.url),
        "copier": _line(dossier.case.other_name),
        "made": made,
        "by": _line(dossier.made_by),
        "head": head or "—",
        "pages": len(dossier.copies),
        "kept": sum(copy.found.evidence.is_kept for copy in dossier.copies),
        "expect": f" --expect {head}" if head else "",
    }
    parts = [_CHINESE.format_map(known), _ENGLISH.format_map(known)]
    missing = [*_uncaptured(dossier), *missing]
    if dossier.copies_left_out:
        missing = [f"{dossier.copies_left_out} further pages of the case", *missing]
    if missing:
        lines = "\n".join(f"* {line}" for line in missing)
        parts.append(f"未包含的内容 / Not in this bundle\n---------------------------------\n{lines}\n")
    return "\n\n".join(parts)


_WHY_NOT: Final = {
    CaptureState.FAILED: "could not be captured",
    CaptureState.ELSEWHERE: "answered from another address, or without an article",
    CaptureState.NOT_YET: "not captured",
}


def _uncaptured(dossier: Dossier) -> list[str]:
    """The pages of copies of which no response of their own is kept, and why."""
    return [
        f"a capture of {_line(copy.page.url)}: {_WHY_NOT[copy.found.evidence.state]}"
        + (f" ({copy.found.evidence.refusal})" if copy.found.evidence.refusal else "")
        for copy in dossier.copies
        if not copy.found.evidence.is_kept
    ]


def _line(text: str) -> str:
    """On one line and with nothing hidden: this is a file that people are told to follow."""
    return marked(" ".join(text.split()))
