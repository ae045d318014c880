"""Checks of the dating app of docs/recipes.md."""

import contextlib
import re
import resource
import sqlite3
import threading
import urllib.error

from programs import TEXT, another_server, free_port, post, until
from server import Link


class Dating:
    """The people who use the dating app, and its database."""

    def __init__(self, recipes):
        self.recipes = recipes
        self.path = recipes.folder / "dating.sqlite"
        self.port = free_port()
        self.query("CREATE TABLE profiles (id TEXT PRIMARY KEY, name TEXT)")
        self.query("INSERT INTO profiles VALUES ('ada', 'Ada'), ('bo', 'Bo'), ('cy', 'Cy'), ('di', 'Di')")

    def query(self, statement):
        with contextlib.closing(sqlite3.connect(self.path, timeout=10)) as database, database:
            return database.execute(statement).fetchall()

    def started(self, **variables):
        return self.recipes.started("dating.py", PORT=str(self.port), DATABASE=str(self.path), **variables)

    def ask(self, path, user, request=""):
        headers = {"X-User": user, "X-Request": request}
        answer = until(lambda: self.try_to_ask(path, headers))
        assert answer, "the back end does not answer"
        return answer[1]

    def try_to_ask(self, path, headers):
        with contextlib.suppress(ConnectionRefusedError, urllib.error.URLError):
            return post(f"http://127.0.0.1:{self.port}{path}", **headers)

    @contextlib.contextmanager
    def undo_that_waits(self, user, request):
        """An undo that is paid and has no answer yet. In the end it has one, or the back end has ended."""
        def ask():
            with contextlib.suppress(OSError):
                post(f"http://127.0.0.1:{self.port}/undo", **{"X-User": user, "X-Request": request})

        thread = threading.Thread(target=ask)
        thread.start()
        assert until(lambda: self.paid(user)[1] == 0), "the payment is not saved"
        yield
        thread.join()

    def paid(self, user):
        """The likes and the coins that a user has left."""
        return self.query(f"SELECT likes_left, coins FROM users WHERE id = '{user}'")[0]

    def verdicts(self):
        return self.query("SELECT user, profile, direction FROM verdicts ORDER BY user, profile")

    def swipe(self, seat, direction, outcome):
        result = self.recipes.play(seat, {"type": "swipe", "direction": direction})
        assert result.get("outcome") == outcome, result

    def front(self, seat):
        """The card in front, once nothing waits for the back end."""
        path = f"/v1/sessions/{seat['id']}/frame?fields=pending,cards"
        frame = until(lambda: frame if not (frame := self.recipes.get(path))["pending"] else None)
        return frame["cards"][0]["id"]

    def expect(self, *verdicts):
        assert until(lambda: self.verdicts() == list(verdicts)), self.verdicts()


def check_dating(recipes):
    dating = Dating(recipes)
    recipes.swipe_elsewhere()
    with dating.started():
        ada = dating.ask("/deck", "ada")
        dating.swipe(ada, "left", "swiped")
        dating.swipe(ada, "right", "pending")
        dating.expect(("ada", "bo", "left"), ("ada", "cy", "right"))
        assert dating.query("SELECT likes_left FROM users") == [(49,)]

        # Without likes, the card goes back.
        dating.query("UPDATE users SET likes_left = 0")
        dating.swipe(ada, "right", "pending")
        assert dating.front(ada) == "di"
        dating.query("UPDATE users SET likes_left = 49")

        di = dating.ask("/deck", "di")
        cy = dating.ask("/deck", "cy")
        dating.swipe(cy, "right", "pending")
        dating.expect(("ada", "bo", "left"), ("ada", "cy", "right"), ("cy", "ada", "right"))
        (matches,) = re.findall(r"^```sql\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
        assert dating.query(matches) == [("ada", "cy")], dating.query(matches)

    # What happens while the back end is away is in the table later, and nothing is there twice.
    dating.swipe(di, "right", "pending")
    recipes.end(di)
    dating.swipe(ada, "right", "pending")
    with dating.started():
        dating.expect(("ada", "bo", "left"), ("ada", "cy", "right"), ("ada", "di", "right"), ("cy", "ada", "right"))
        refused = recipes.play(ada, {"type": "revert"})
        assert refused["type"] == "/problems/not-a-players-event", refused
        for _ in range(2):
            assert dating.ask("/undo", "ada", "undo-1")["applied"]
        dating.expect(("ada", "bo", "left"), ("ada", "cy", "right"), ("cy", "ada", "right"))
        assert dating.ask("/undo", "ada", "undo-2") == {"applied": False, "reason": "no-coins"}
        assert dating.front(ada) == "di"
        assert dating.front(dating.ask("/deck", "ada")) == "di"
        # An undo that is refused is not paid.
        dating.ask("/deck", "bo")
        assert dating.ask("/undo", "bo", "undo-3")["reason"] == "nothing-to-revert"
        assert dating.query("SELECT id, coins FROM users ORDER BY id") == [("ada", 0), ("bo", 1), ("cy", 1), ("di", 1)]
        assert dating.query("SELECT likes_left FROM users WHERE id = 'di'") == [(50,)]


def limit_files(deckd, size):
    """Lets a server write no file beyond a size, as if the disk were full."""
    resource.prlimit(deckd.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@contextlib.contextmanager
def full_disk(deckd, link, *seats):
    """What was committed reaches a program when deckd refuses changes, and when it has refused an event of each session."""
    # The log is shorter, and the journal's files are longer.
    limit_files(deckd, 32 * 1024)
    link.mend()
    for seat in seats:
        refusal = f"path=/v1/sessions/{seat['id']}/events status=503"
        assert until(lambda: refusal in (deckd.folder / "log").read_text(encoding="utf-8")), refusal
    yield
    limit_files(deckd, resource.RLIM_INFINITY)


def check_full_disk(recipes):
    """While deckd refuses changes, an undo waits, and verdicts are saved."""
    with another_server(recipes) as (recipes, deckd), contextlib.closing(Link(deckd.port)) as link:
        dating = Dating(recipes)
        with dating.started(DECKD=link.url):
            ada = dating.ask("/deck", "ada")
            dating.swipe(ada, "left", "swiped")
            dating.expect(("ada", "bo", "left"))
            link.cut()
            dating.swipe(ada, "left", "swiped")
            with dating.undo_that_waits("ada", "undo-1"):
                with full_disk(deckd, link, ada):
                    dating.expect(("ada", "bo", "left"), ("ada", "cy", "left"))
            dating.expect(("ada", "bo", "left"))
            assert dating.ask("/undo", "ada", "undo-2") == {"applied": False, "reason": "no-coins"}
            dating.swipe(ada, "left", "swiped")
            dating.expect(("ada", "bo", "left"), ("ada", "cy", "left"))


def check_kill_of_payments(recipes):
    """A payment is made once, even if the back end is killed while it waits."""
    with another_server(recipes) as (recipes, deckd), contextlib.closing(Link(deckd.port)) as link:
        dating = Dating(recipes)
        with contextlib.ExitStack() as stack:
            with dating.started(DECKD=link.url):
                ada, cy = dating.ask("/deck", "ada"), dating.ask("/deck", "cy")
                dating.swipe(ada, "left", "swiped")
                dating.expect(("ada", "bo", "left"))
                link.cut()
                dating.swipe(ada, "left", "swiped")
                dating.swipe(cy, "right", "pending")
                stack.enter_context(dating.undo_that_waits("ada", "undo-1"))
                stack.enter_context(full_disk(deckd, link, ada, cy))
                assert dating.paid("cy") == (49, 1)
            # The decision is saved, so the likes that are left at the next start do not change it.
            dating.query("UPDATE users SET likes_left = 0 WHERE id = 'cy'")
        with dating.started():
            dating.expect(("ada", "bo", "left"), ("cy", "ada", "right"))
            assert dating.ask("/undo", "ada", "undo-1")["applied"]
            dating.swipe(ada, "left", "swiped")
            dating.expect(("ada", "bo", "left"), ("ada", "cy", "left"), ("cy", "ada", "right"))
            assert (dating.paid("ada"), dating.paid("cy")) == ((50, 0), (0, 1))

        # As if it had been stopped before the results of the payments were saved, and before the pages of the feed were.
        for change in ("UPDATE payments SET result = NULL", "DELETE FROM verdicts", "UPDATE feed SET cursor = '0'"):
            dating.query(change)
        with dating.started():
            dating.expect(("ada", "bo", "left"), ("ada", "cy", "left"), ("cy", "ada", "right"))
            assert dating.query("SELECT count(result), count(*) FROM payments") == [(2, 2)]
            assert (dating.paid("ada"), dating.paid("cy")) == ((50, 0), (0, 1))


def check_quotas(recipes):
    """The dating app stores no decks. A full quota is an error at once, with the server's message."""
    with another_server(recipes, DECKD_LIMITS_DECKS="1", DECKD_LIMITS_SESSIONS="2") as (recipes, _):
        said = recipes.run("-c", "import deckd\ntry: deckd.call('PUT', '/v1/decks/a', {'count': 1})\nexcept deckd.Problem as it: print(it)")
        assert re.fullmatch(r"503 /problems/too-many-decks: .+\n", said), said
        dating = Dating(recipes)
        with dating.started():
            assert "token" in dating.ask("/deck", "ada") and "token" in dating.ask("/deck", "bo")
            assert dating.ask("/deck", "cy") == {"error": "Please try again later."}
        assert "/problems/too-many-sessions: " in (recipes.folder / "log").read_text(encoding="utf-8")


CHECKS = [check_dating, check_full_disk, check_kill_of_payments, check_quotas]
