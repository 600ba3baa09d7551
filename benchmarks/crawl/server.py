"""The child process that serves the generated site: prints its address and serves until its input ends."""

import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from benchmarks.crawl.generated import page

ROBOTS = "/robots.txt"


def main() -> None:
    articles = int(sys.argv[1])

    class Site(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            found = None if self.path == ROBOTS else page(self.path, articles=articles)
            body = (found or "").encode()
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Silent: a line for each request would be most of the output."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while os.read(sys.stdin.fileno(), 1):
        pass


if __name__ == "__main__":
    main()
