"""Sessions of a server, and the requests that are sent to them."""

import concurrent.futures
import dataclasses
import http.client
import json
import ssl

from servers import Failure

DECK = {"count": 100, "loop": True}
VIEWPORT = {"width": 375, "height": 600}
DRAG = {"type": "drag", "phase": "changed", "translation": {"x": 40, "y": 6}}
SWIPE = {"type": "swipe", "direction": "right"}
CREATORS = 32
# The headers that a browser sends besides those of every client.
BROWSER_HEADERS = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Accept": "*/*",
    "Accept-Language": "en-US,en;q=0.5", "Accept-Encoding": "gzip, deflate, br, zstd", "Referer": "http://localhost/",
    "Origin": "http://localhost", "Connection": "keep-alive", "Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors",
    "Sec-Fetch-Site": "same-origin", "Priority": "u=4", "Pragma": "no-cache",
}


@dataclasses.dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: dict = dataclasses.field(default_factory=dict)
    body: str = ""


class Client:
    """One connection."""

    def __init__(self, server):
        if server.scheme == "https":
            context = ssl._create_unverified_context()
            self.connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=30, context=context)
        else:
            self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)

    def send(self, request):
        """The response and its body."""
        self.connection.request(request.method, request.path, request.body or None, request.headers)
        response = self.connection.getresponse()
        return response, response.read()

    def expect(self, request, *statuses):
        response, body = self.send(request)
        if response.status not in (statuses or (200, 201)):
            raise Failure(f"{request} was answered with {response.status}: {body[:300]!r}")
        return response, body


def event(path, body, query="", headers=None):
    headers = {"Content-Type": "application/json"} | (headers or {})
    return Request("POST", f"{path}/events{query}", headers, json.dumps(body, separators=(",", ":")))


@dataclasses.dataclass
class Sessions:
    """Sessions with a way to change them."""

    server: object
    paths: list
    tokens: list
    headers: dict

    @classmethod
    def create(cls, server, count, headers=None, **members):
        """:param members: members of the request, besides its viewport."""
        headers = headers or {}
        body = json.dumps({"deck": DECK, "viewport": VIEWPORT} | members)
        request = Request("POST", "/v1/sessions", {"Content-Type": "application/json"} | headers, body)

        def some(number):
            client = Client(server)
            return [json.loads(client.expect(request)[1]) for _ in range(number)]

        shares = [count // CREATORS + (index < count % CREATORS) for index in range(CREATORS)]
        with concurrent.futures.ThreadPoolExecutor(CREATORS) as pool:
            made = [session for part in pool.map(some, filter(None, shares)) for session in part]
        paths = [f"/v1/sessions/{session['id']}" for session in made]
        return cls(server, paths, [session.get("token") for session in made], headers)

    def events(self, body, query="", headers=None):
        return [event(path, body, query, self.headers | (headers or {})) for path in self.paths]

    def frames(self, headers=None):
        return [Request("GET", f"{path}/frame", self.headers | (headers or {})) for path in self.paths]

    def send(self, requests):
        client = Client(self.server)
        for request in requests:
            client.expect(request)

    def drags(self, headers=None):
        """Begins a drag in each session, and gives requests that move it."""
        self.send(self.events({"type": "drag", "phase": "began", "location": {"x": 9, "y": 9}}))
        return self.events(DRAG, headers=headers)

    def owned_drags(self):
        """The same with each session's token."""
        self.drags()
        return [
            event(path, DRAG, headers={"Authorization": f"Bearer {token}"})
            for path, token in zip(self.paths, self.tokens)
        ]


def recorded(server, request):
    """A response as BareServer reads it: the same headers and the same body."""
    response, body = Client(server).expect(request, 200, 304)
    left_out = ("date", "content-length", "connection")
    lines = [f"{name}: {value}" for name, value in response.getheaders() if name.lower() not in left_out]
    return "\n".join([str(response.status), *lines, "", ""]).encode() + body
