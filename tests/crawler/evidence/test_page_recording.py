"""Pages recorded in a real browser: what is kept of an ordinary page, and how hostile ones are bounded.

Each recording starts a browser of its own, so there are few of them, and each is asked much.
"""

import ipaddress
import json
import ssl
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from jsonschema import Draft202012Validator

from crawler.browser.recording import NotRecorded, Recording, RecordingBounds, record_page
from crawler.evidence.recordings import program_facts
from crawler.evidence.recordings.capture_file import members_in, parts_of, signed_file
from crawler.evidence.recordings.capture_record import Circumstances, Judged, record_json
from crawler.evidence.signing_keys import new_key
from storage.evidence.clock_checks import ClockOffset
from tests.support.requirements import needs_browser

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = json.loads((ROOT / "docs/schemas/capture-record.schema.json").read_text("utf-8"))
ONE = (ipaddress.ip_network("127.0.0.1/32"),)
SENTENCE = "渡口的老人每天清晨把船推到水里，等第一批赶集的人。"
TALL_PX = 5_000

RICH = f"""<!DOCTYPE html><html><head><meta charset="utf-8"><title>渡口</title><link rel="stylesheet" href="/style.css">
<script>
navigator.serviceWorker && navigator.serviceWorker.register('/worker.js').catch(() => 0);
window.open('/popup'); alert('hello'); document.cookie = 'seen=1';
</script></head>
<body style="height:{TALL_PX}px"><p>{SENTENCE * 20}</p>
<img src="/redirected.png"><img src="http://10.0.0.1/secret.png"><img src="http://127.0.0.2:PORT/other.png">
<img src="/missing.png"><img src="data://[1"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
<img loading="lazy" src="/lazy.png" style="position:absolute;top:4500px">
<a id="file" href="/file.zip" download>file</a><script>document.getElementById('file').click()</script>
</body></html>"""

FLOOD = """<!DOCTYPE html><html><body><h1>flood</h1><script>
let n = 0;
function more() {
  for (let i = 0; i < 500 && n < 100000; i++) { const one = new Image(); one.src = '/pixel.png?' + n++; }
  document.body.style.height = (document.body.scrollHeight + 3000) + 'px'; document.body.style.width = '6000px';
  if (n < 100000) setTimeout(more, 0);
}
more(); addEventListener('scroll', () => { document.body.style.height = (document.body.scrollHeight + 9000) + 'px'; });
</script></body></html>"""

BUSY = "<!DOCTYPE html><html><body><p>busy</p><script>setTimeout(() => { while (true); }, 50)</script></body></html>"


def png(width: int, height: int) -> bytes:
    def part(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * (width + 1) * height)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", rows) + part(b"IEND", b"")


class Site(BaseHTTPRequestHandler):
    """Pages by path; the rest is a picture."""

    server: ThreadingHTTPServer

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        port = str(self.server.server_port)
        pages = {"/rich": RICH.replace("PORT", port), "/flood": FLOOD, "/busy": BUSY, "/popup": "<p>popup</p>"}
        if path in ("/redirected.png", "/away"):
            return self._answer(302, b"", "text/plain", Location="/final.png" if path != "/away" else "/rich")
        if path == "/style.css":
            return self._answer(200, b"body{background:#fff}", "text/css")
        if path == "/missing.png":
            return self._answer(404, b"no", "text/plain")
        if path == "/file.zip":
            return self._answer(200, b"PK", "application/zip", **{"Content-Disposition": "attachment"})
        if path in pages:
            return self._answer(200, pages[path].encode(), "text/html; charset=utf-8", **{"Set-Cookie": "a=1"})
        return self._answer(200, png(2, 2), "image/png")

    def _answer(self, status: int, body: bytes, content_type: str, **more: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": content_type, "Content-Length": str(len(body)), **more}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Silent."""


@contextmanager
def running(wrap: Callable[[ThreadingHTTPServer], None] = lambda _: None) -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        server.daemon_threads = True
        wrap(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with running() as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def rich(site: str) -> Recording:
    return record_page(f"{site}/rich", allowed_networks=ONE)


def as_json(found: Recording, url: str) -> dict[str, Any]:
    """The record of a recording, checked by its schema and against the file that holds it."""
    key, parts = new_key(), parts_of(found, url)
    clock = ClockOffset("here", datetime.now(UTC), 0.25, 1.01, "https://stamps.example/")
    around = Circumstances(
        url=url,
        program=program_facts.program(),
        machine=program_facts.machine("here", "127.0.0.1"),
        browser=program_facts.browser(found.facts["browser"]),
        clock=clock,
        judged=Judged(SENTENCE * 20, bytes(32), 7),
        why="case 7",
        whom=None,
    )
    written = record_json(found, around, parts.members, key)
    file = signed_file(parts, url, written, key)
    first, second, *rest = members_in(file.data)
    assert first.content == written
    assert json.loads(second.content)["key"] == key.id
    record: dict[str, Any] = json.loads(written)
    assert [one.uri for one in rest] == [one["uri"] for one in record["members"]]
    problems = [f"{error.json_path}: {error.message}" for error in Draft202012Validator(SCHEMA).iter_errors(record)]
    assert problems == []
    return record


def asked(record: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["url"]: one for one in record["requests"]}


@needs_browser
def test_all_of_a_page_is_recorded(site: str, rich: Recording) -> None:
    record = as_json(rich, f"{site}/rich")

    assert {one["result"] for one in record["steps"]} == {"done"}
    assert {url for url, one in asked(record).items() if one["left_out"]} <= {f"{site}/file.zip", f"{site}/popup"}
    assert [line[:10] for line in record["left_out"]] in ([], ["responses:"])
    assert record["certificate_problem"] is None
    heights = [(one["top_px"], one["height_px"]) for one in record["pictures"]["slices"]]
    assert heights == [(0, 2_000), (2_000, 2_000), (4_000, record["pictures"]["page_height_px"] - 4_000)]
    assert all(one.data.startswith(b"\x89PNG") for one in rich.slices)
    assert SENTENCE in rich.text
    assert record["text"] == {"sha256": "00" * 32, "characters": len(SENTENCE) * 20, "entry": 7, "share_shown": 1.0}
    assert rich.mhtml is not None
    assert b"multipart/related" in rich.mhtml
    assert ["Content-Type", "text/html; charset=utf-8"] in record["page"]["headers"]
    assert (record["page"]["status"], record["page"]["remote_address"]) == (200, "127.0.0.1")
    roles = [one["role"] for one in record["members"]]
    assert roles[:5] == ["picture", "picture", "picture", "text", "mhtml"]
    assert set(roles[5:]) == {"response"}


@needs_browser
def test_each_request_is_listed_with_its_result(site: str, rich: Recording) -> None:
    found = asked(as_json(rich, f"{site}/rich"))

    assert found[f"{site}/lazy.png"]["result"] == "answered"
    assert found[f"{site}/missing.png"]["answer"]["status"] == 404
    source, target = found[f"{site}/redirected.png"], found[f"{site}/final.png"]
    assert (source["answer"]["status"], target["redirected_from"]) == (302, source["number"])
    refused = [one for url, one in found.items() if url.startswith(("http://10.", "http://127.0.0.2"))]
    assert [(one["result"], one["answer"]) for one in refused] == [("refused by the guard", None)] * 2
    assert all(one["answer"] is None for url, one in found.items() if url.startswith("data:"))
    bodies = {response.url: response.body for response in rich.responses.values()}
    assert bodies[f"{site}/style.css"] == b"body{background:#fff}"
    assert not any("10.0.0.1" in url for url in bodies)
    looked_up = {one["host"]: one for one in rich.facts["lookups"]}
    assert looked_up["10.0.0.1"]["refused"] == ["10.0.0.1"]


@needs_browser
def test_the_profile_is_empty_and_stays_without_what_a_page_wants_to_leave(site: str, rich: Recording) -> None:
    record = as_json(rich, f"{site}/rich")

    profile = record["profile"]
    assert (profile["folder_was_empty"], profile["cookies"], profile["extensions"]) == (True, 0, 0)
    assert "--disable-extensions" in record["browser"]["command_line"]
    assert len(record["browser"]["sha256"]) == len(record["program"]["source_sha256"]) == 64
    counts = record["counts"]
    assert (counts["popups"], counts["dialogs"], counts["downloads"]) == (1, 1, 1)
    assert not any(url.endswith("/worker.js") for url in asked(record))
    assert record["clock"]["offset_s"] == 0.25


@needs_browser
def test_a_page_that_asks_and_grows_without_end_is_bounded_and_the_record_says_by_what(site: str) -> None:
    bounds = RecordingBounds(requests=150, height_px=5_000, settle_s=1)

    record = as_json(record_page(f"{site}/flood", allowed_networks=ONE, bounds=bounds), f"{site}/flood")

    assert len(record["requests"]) == 150
    assert record["counts"]["requests_not_listed"] > 0
    assert record["pictures"]["height_px"] == 5_000
    said = " ".join(record["left_out"])
    assert "from 5,000 px on" in said
    assert "right of 4,000 px" in said
    assert "more were refused" in said


@needs_browser
def test_a_page_that_never_rests_costs_its_parts_and_no_more(site: str) -> None:
    bounds = RecordingBounds(total_s=16, settle_s=1, load_s=5)

    record = as_json(record_page(f"{site}/busy", allowed_networks=ONE, bounds=bounds), f"{site}/busy")

    assert any("not done within" in one["result"] for one in record["steps"])
    assert record["page"]["status"] == 200


@needs_browser
@pytest.mark.parametrize(
    ("path", "why"),
    [("/away", "leads the browser to"), ("/file.zip", "Download is starting"), ("//10.0.0.1/", "does not let")],
)
def test_what_is_not_the_page_is_not_recorded(site: str, path: str, why: str) -> None:
    url = f"http:{path}" if path.startswith("//") else f"{site}{path}"
    with pytest.raises(NotRecorded, match=why):
        record_page(url, allowed_networks=ONE, bounds=RecordingBounds(settle_s=1))


@pytest.mark.parametrize("url", ["file:///etc/passwd", "data:text/html,x", "about:blank", "javascript:1", ""])
def test_what_is_not_of_the_web_is_not_opened(url: str) -> None:
    with pytest.raises(NotRecorded, match="only http and https"):
        record_page(url)


@needs_browser
def test_the_chain_of_a_server_is_kept_with_the_reason_why_it_does_not_hold(tmp_path: Path) -> None:
    certificate = a_certificate(tmp_path)

    def with_tls(server: ThreadingHTTPServer) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)

    with running(with_tls) as port:
        url = f"https://127.0.0.1:{port}/popup"
        found = record_page(url, allowed_networks=ONE, bounds=RecordingBounds(settle_s=1))
        record = as_json(found, url)

    assert found.certificates == {f"https://127.0.0.1:{port}": (certificate,)}
    assert "ERR_CERT_AUTHORITY_INVALID" in record["certificate_problem"]
    (tls,) = record["tls"]
    assert (tls["validation"]["valid"], tls["protocol"]) == (False, "TLS 1.3")
    assert tls["validation"]["why"]
    assert [one["role"] for one in record["members"]].count("certificate") == 1


def a_certificate(folder: Path) -> bytes:
    """A certificate that signs itself, as DER; with its key in the folder."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=9))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
    return made.public_bytes(serialization.Encoding.DER)
