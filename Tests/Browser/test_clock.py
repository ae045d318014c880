"""A server whose clock was set back, so that the clock of the page is ahead."""

import sqlite3

import pytest

HOUR = 3_600_000

NO_ENGINE = """
const send = fetch;
window.fetch = (url, request) => (String(url).endsWith(".wasm") ? Promise.resolve(new Response("", { status: 404 })) : send(url, request));
"""
EVENT_REQUESTS = "return log.requests.filter(({ url }) => url.includes('/events')).length"


def swipe(page, index):
    page.run("log.requests.length = 0; session.send({ type: 'swipe', direction: 'right' })")
    page.until("return session.waitingCount === 0 && view.frame.currentIndex === arguments[0]", index)
    return page.run(EVENT_REQUESTS)


@pytest.mark.parametrize("has_engine", [True, False])
def test_page_that_is_ahead_takes_the_time_of_the_server(deckd, open_page, has_engine):
    page = open_page(f"{deckd.url}/deckd.js")
    if not has_engine:
        page.run(NO_ENGINE)
    page.begin(predicts=has_engine)
    page.check_rest()
    page.run("""
        const now = performance.now.bind(performance);
        performance.now = () => now() + arguments[0];
    """, HOUR)
    assert swipe(page, 1) <= 3
    assert page.run_async("const { at } = await session.refresh(); return Math.abs(session.now - at)") < 1000
    page.check_rest()
    assert swipe(page, 2) <= 2
    page.check_rest()
    gap = page.run_async("const [one, other] = await session.verdicts(); return other.at - one.at")
    assert 0 < gap < HOUR / 2


def test_events_that_waited_keep_their_distances(link, open_page):
    page = open_page(f"{link.url}/deckd.js")
    page.begin()
    page.check_rest()
    link.cut()
    page.run_async("""
        const now = performance.now.bind(performance);
        performance.now = () => now() + cases;
        for (const direction of ["left", "right"]) {
          session.send({ type: "swipe", direction });
          await new Promise((resolve) => setTimeout(resolve, 700));
        }
    """, HOUR)
    link.mend()
    page.check_rest()
    gap = page.run_async("const [one, other] = await session.verdicts(); return other.at - one.at")
    assert 600 < gap < 1500


def test_session_whose_clock_stands_still_is_used(own_deckd, open_page):
    page = open_page(f"{own_deckd.url}/deckd.js")
    info = page.begin()
    swipe(page, 1)
    page.check_rest()
    own_deckd.stop()
    # For a server whose clock is set back, sessions were created later.
    with sqlite3.connect(own_deckd.folder / "deckd.sqlite") as database:
        database.execute("UPDATE session SET createdAt = createdAt + ? WHERE id = ?", (HOUR, info["id"]))
    database.close()
    own_deckd.start()
    page.until("return log.connection.at(-1) === true")
    for index in (2, 3):
        page.run("log.requests.length = 0; session.send({ type: 'swipe', direction: 'right' })")
        page.until("return session.waitingCount === 0")
        assert page.run(EVENT_REQUESTS) <= 4
    assert [verdict["index"] for verdict in page.run_async("return session.verdicts()")] == [0, 1, 2]
