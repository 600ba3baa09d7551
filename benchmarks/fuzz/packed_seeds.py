"""Seed inputs of archives, saved pages, documents and back-ups."""

import gzip
import io
import tarfile
import zipfile
import zlib
from typing import Final

from benchmarks.fuzz.seeds import PAGES, PROSE, TEXTS


def warc_record(kind: str, url: str, block: bytes) -> bytes:
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-03-01T00:30:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:0a0a>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def _http(body: bytes, *more: str) -> bytes:
    return "\r\n".join(("HTTP/1.1 200 OK", "Content-Type: text/html", *more, "", "")).encode() + body


def _chunked(body: bytes) -> bytes:
    return f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"


_WARC: Final = warc_record("warcinfo", "", b"software: x") + warc_record(
    "response", "https://a.example/1", _http(PAGES[0])
)
_PACKED: Final = _http(gzip.compress(PAGES[0], mtime=0), "Content-Encoding: gzip")
WARCS: Final = (
    _WARC,
    _WARC + warc_record("response", "https://a.example/2", _PACKED),
    warc_record("response", "https://a.example/3", _http(_chunked(PAGES[0]), "Transfer-Encoding: chunked")),
    warc_record("conversion", "https://a.example/4", PROSE.encode()),
    gzip.compress(_WARC, mtime=0),
)
HTTP_BODIES: Final = (
    _http(PAGES[0]),
    _PACKED,
    _http(zlib.compress(PAGES[0]), "Content-Encoding: deflate"),
    _http(_chunked(PAGES[0]), "Transfer-Encoding: chunked"),
    _http(gzip.compress(gzip.compress(b"0" * 60_000, mtime=0), mtime=0), "Content-Encoding: gzip, gzip"),
)
MHTML: Final = (
    b"From: <Saved by Blink>\r\nSnapshot-Content-Location: https://a.example/1\r\nSubject: =?utf-8?Q?=E6=B1=9F?=\r\n"
    b"MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"--b--\"\r\n\r\n"
    b"----b--\r\nContent-Type: text/html\r\nContent-Location: https://a.example/1\r\nContent-Transfer-Encoding: "
    b"quoted-printable\r\n\r\n<html><body><p>" + PROSE.encode().hex(" ").upper().replace(" ", "=").encode()
    + b"</p></body></html>\r\n----b----\r\n"
)  # fmt: skip


def _pdf() -> bytes:
    content = b"BT /F1 12 Tf 72 720 Td (The quick brown fox jumps over the lazy dog again and again.) Tj ET"
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources<</Font<</F1 5 0 R>>>>>>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
        b"<< /Length 60 >>\nstream\n1 beginbfrange <00> <ff> <0000> endbfrange 1 beginbfchar <41> <4e00>\nendstream",
        b"<< /Title (River) /Author <FEFF5468> /CreationDate (D:20260301083000+08'00') >>",
    )
    made, places = io.BytesIO(b"%PDF-1.7\n"), []
    made.seek(0, io.SEEK_END)
    for number, one in enumerate(objects, 1):
        places.append(made.tell())
        made.write(b"%d 0 obj\n%s\nendobj\n" % (number, one))
    start = made.tell()
    made.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    made.writelines(b"%010d 00000 n \n" % place for place in places)
    made.write(b"trailer << /Size %d /Root 1 0 R /Info 7 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start))
    return made.getvalue()


_WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPES: Final = """<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default
 Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml"
 ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType=
"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"""
_RELATIONS: Final = """<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
 Target="word/document.xml"/></Relationships>"""


def docx(body: str, *, types: str = _TYPES, relations: str = _RELATIONS, packing: int = zipfile.ZIP_STORED) -> bytes:
    made = io.BytesIO()
    document = f'<?xml version="1.0"?><w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'
    with zipfile.ZipFile(made, "w", packing) as package:
        for name, part in (("[Content_Types].xml", types), ("_rels/.rels", relations), ("word/document.xml", document)):
            package.writestr(zipfile.ZipInfo(name), part, packing)
    return made.getvalue()


_PARAGRAPH: Final = f"<w:p><w:r><w:t>{PROSE}</w:t></w:r></w:p>"
_ROW: Final = f"<w:tr><w:tc>{_PARAGRAPH}</w:tc><w:tc><w:tcPr><w:gridSpan w:val='2'/></w:tcPr>{_PARAGRAPH}</w:tc></w:tr>"
DOCX: Final = (
    docx(_PARAGRAPH),
    docx(f"{_PARAGRAPH}<w:tbl><w:tblGrid><w:gridCol/></w:tblGrid>{_ROW}{_ROW}</w:tbl>"),
    docx(_PARAGRAPH, packing=zipfile.ZIP_DEFLATED),
)
PDF: Final = (_pdf(),)
DOCUMENTS: Final = (*PDF, *DOCX, MHTML, PAGES[0], TEXTS[0], b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))


def tar_of(parts: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:", format=tarfile.PAX_FORMAT) as tar:
        for name, data in parts.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return made.getvalue()
