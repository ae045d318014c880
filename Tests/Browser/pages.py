"""Pages of somebody else, and deckd under the same origin, as behind a proxy."""

import http.server
import pathlib
import re
import threading

import requests
import urllib3

REPOSITORY = pathlib.Path(__file__).parents[2]


def example(document, heading, language="html"):
    """The first block of code in a language under a heading of a document."""
    text = (REPOSITORY / "docs" / document).read_text(encoding="utf-8")
    part = text.split(f"# {heading}\n", 1)[1]
    return re.search(rf"```{language}\n(.*?)```", part, re.S)[1]


class Pages:
    """Answers paths with the given texts, and passes all others on to deckd. `policy` is a Content-Security-Policy.

    While there is a `fault`, a status, a type and a text, that is the answer to all requests of the API.
    """

    fault = None

    def __init__(self, deckd, files, policy=None):
        pages = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def pass_on(self):
                if self.path.startswith("/v1") and pages.fault:
                    status, content_type, text = pages.fault
                    self.rfile.read(int(self.headers.get("Content-Length", 0)))
                    self.send_response(status)
                    self.send_header("Content-Type", content_type)
                    self.end_headers()
                    self.wfile.write(text.encode())
                    return
                if self.path in files:
                    self.send_response(200)
                    self.send_header("Content-Type", "text/javascript" if self.path.endswith(".js") else "text/html; charset=utf-8")
                    if policy:
                        self.send_header("Content-Security-Policy", policy)
                    self.end_headers()
                    self.wfile.write(files[self.path].encode())
                    return
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "content-length")}
                answer = requests.request(self.command, deckd.url + self.path, headers=headers, data=body, stream=True, timeout=30)
                self.send_response(answer.status_code)
                for name in ("Content-Type", "Content-Encoding", "ETag"):
                    if name in answer.headers:
                        self.send_header(name, answer.headers[name])
                self.end_headers()
                for part in answer.raw.stream(1 if "stream" in self.path else 65536):
                    self.wfile.write(part)

            do_GET = do_POST = do_PATCH = do_DELETE = pass_on

            def log_message(self, *arguments):
                pass

            def handle(self):
                try:
                    super().handle()
                except (OSError, urllib3.exceptions.HTTPError):
                    pass  # The tab has been closed, or deckd has stopped.

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()
