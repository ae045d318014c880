"""The page in docs/browser.md works as it stands there."""

import http.server
import pathlib
import re
import threading

import requests

REPOSITORY = pathlib.Path(__file__).parents[2]


def test_page_in_the_docs_works(deckd, open_page):
    text = (REPOSITORY / "docs/browser.md").read_text(encoding="utf-8")
    example = re.search(r"```html\n(.*?)```", text, re.S)[1].encode()
    assert len(example.decode().split("<script")[1].splitlines()) <= 24

    class Both(http.server.BaseHTTPRequestHandler):
        """The page and deckd under one origin, as behind a proxy."""

        def pass_on(self):
            if self.path == "/page":
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(example)
                return
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "content-length")}
            answer = requests.request(self.command, deckd.url + self.path, headers=headers, data=body, stream=True, timeout=30)
            self.send_response(answer.status_code)
            for name in ("Content-Type", "ETag"):
                if name in answer.headers:
                    self.send_header(name, answer.headers[name])
            self.end_headers()
            for part in answer.raw.stream(1 if "stream" in self.path else 65536):
                self.wfile.write(part)

        do_GET = do_POST = do_PATCH = pass_on

        def log_message(self, *arguments):
            pass

        def handle(self):
            try:
                super().handle()
            except OSError:
                pass  # The tab has been closed.

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Both)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        page = open_page(f"http://127.0.0.1:{server.server_port}/page")
        page.until("return document.querySelector('.deckd-card[data-role=front] .deckd-content')?.textContent === 'Lviv'")
        x, y, width = page.run("const b = document.querySelector('div').getBoundingClientRect(); return [b.x, b.y, b.width]")
        page.finger("mouse").drag(round(x + width / 2), round(y + 100), 130, 0, hold=100)
        page.until("return document.querySelector('.deckd-card[data-role=front] .deckd-content')?.textContent === 'Porto'")
        said = page.until("return document.querySelector('.deckd-live').textContent")
        assert said.startswith("Lviv: right.")
    finally:
        server.shutdown()
