"""Bad days: a slow link, a link that breaks, a server that is killed."""

import signal

import pytest

X, Y = 250, 160


def verdicts(page):
    return [verdict["direction"] for verdict in page.run_async("return session.verdicts()")]


def test_card_follows_the_finger_in_the_same_frame_on_a_slow_link(link, open_page, measured):
    page = open_page(f"{link.url}/deckd.js")
    page.begin()
    link.delay = 0.1
    # Another listener of the same events notes where the finger is; the next animation frame sees where the card is.
    page.run("""
        window.seen = [];
        let finger = null;
        document.addEventListener("pointermove", (event) => (finger = event));
        const look = () => {
          const card = document.querySelector('.deckd-card[data-role=front]');
          if (finger) seen.push([finger.clientX - 250, parseFloat(card.style.translate)]);
          finger = null;
          requestAnimationFrame(look);
        };
        document.addEventListener("pointerdown", look);
    """)
    finger = page.finger("mouse")
    finger.down(X, Y)
    finger.move(90, 0, milliseconds=600, steps=30)
    seen = page.run("return seen")
    worst = max(abs(wanted - drawn) for wanted, drawn in seen)
    measured(f"on a link delayed by 100 ms the card is {worst:.2f} px from the finger in its frame, the worst of {len(seen)}")
    assert len(seen) >= 10 and worst < 0.01
    requests = page.run("return log.requests.filter(({body}) => body?.includes('changed')).length")
    assert requests <= 5, "at most one request of a drag is in progress at a time"
    finger.move(20, 0, milliseconds=40, steps=2)
    finger.up()
    page.until("return view.frame.currentIndex === 1 && session.waitingCount === 0")
    link.delay = 0.0
    page.check_rest()
    assert verdicts(page) == ["right"]


@pytest.mark.parametrize("delivery", ["stream", "longpoll", "poll"])
def test_what_is_done_without_a_network_is_done_once_when_it_is_back(link, open_page, deckd, delivery):
    page = open_page(f"{link.url}/deckd.js")
    # Two characters that end a line in JavaScript, and not in an event stream.
    deck = {"cards": [{"id": str(number), "label": "\u2028Card\u2029"} for number in range(9)]}
    info = page.begin(deck, options={"delivery": delivery})
    link.cut()
    page.run("""
        window.done = [];
        for (const direction of ["left", "right", "left"]) session.send({ type: "swipe", direction }).then((r) => done.push(r[0]));
    """)
    page.until("return log.connection.includes(false)")
    page.run("for (const event of [{type: 'revert'}, {type: 'swipe', direction: 'right'}]) session.send(event).then((r) => done.push(r[0]))")
    assert page.run("return done.length") == 0
    link.mend()
    page.until("return done.length === 5")
    assert page.run("return done.every(({applied}) => applied)")
    assert verdicts(page) == ["left", "right", "right"]
    page.until("return log.connection.at(-1) === true")
    deckd.ask("POST", f"/v1/sessions/{info['id']}/events", {"type": "swipe", "direction": "left"}, info["token"])
    page.until("return view.frame.currentIndex === 4")
    page.check_rest()


def test_answer_that_is_lost_does_not_double_what_was_done(link, open_page, deckd):
    page = open_page(f"{link.url}/deckd.js")
    info = page.begin(options={"delivery": "poll"})
    link.delay = 0.3
    page.run("session.send({ type: 'swipe', direction: 'left' }).then((r) => (window.done = r))")
    # It has come to the server, and its answer is on the way back.
    while not deckd.ask("GET", f"/v1/sessions/{info['id']}/verdicts", token=info["token"])["verdicts"]:
        pass
    link.cut(answers_only=True)
    page.until("return log.connection.includes(false)")
    link.mend()
    link.delay = 0.0
    assert page.until("return window.done")[0]["applied"]
    assert verdicts(page) == ["left"]
    keys = page.run("return log.requests.filter(({body}) => body?.includes('swipe')).map(({headers}) => headers['Idempotency-Key'])")
    assert len(set(keys)) == 1


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_server_may_start_again_while_a_card_is_held(own_deckd, open_page, how):
    page = open_page(f"{own_deckd.url}/deckd.js")
    page.begin()
    page.run_async("return session.send({ type: 'swipe', direction: 'left' })")
    page.check_rest()
    page.hold_while(lambda: own_deckd.stop(how), own_deckd.start)
    assert verdicts(page) == ["left", "right"]
    page.check_rest()


def test_session_that_is_gone_is_told_and_not_asked_for_again(own_deckd, open_page):
    page = open_page(f"{own_deckd.url}/deckd.js")
    info = page.begin()
    own_deckd.ask("DELETE", f"/v1/sessions/{info['id']}", token=info["token"])
    page.until("return log.problem.some(({status}) => status === 410)")
    count = page.run("return log.requests.length")
    page.run_async("await new Promise((resolve) => setTimeout(resolve, 600))")
    assert page.run("return log.requests.length") == count


def test_queue_is_bounded_and_keeps_the_times(link, open_page, deckd):
    page = open_page(f"{link.url}/deckd.js")
    page.begin({"preset": "standard", "count": 20})
    link.cut()
    page.run("window.first = session.send({ type: 'tap' }); window.sent = performance.now(); session.send({ type: 'swipe', direction: 'left' });")
    pause = page.run_async("""
        await new Promise((resolve) => setTimeout(resolve, 400));
        const pause = performance.now() - sent;
        session.send({ type: 'swipe', direction: 'right' });
        return pause;
    """)
    refused = page.run_async("return session.send(Array(1000).fill({ type: 'tap' })).catch((problem) => problem.type)")
    assert refused == "queue-full"
    link.mend()
    page.until("return view.frame.currentIndex === 2 && session.waitingCount === 0")
    first, second = page.run_async("return session.verdicts()")
    assert pause >= 400 and abs(second["at"] - first["at"] - pause) < 100, (first, second, pause)


def test_only_the_last_size_waits_without_a_network(link, open_page):
    page = open_page(f"{link.url}/deckd.js")
    page.begin({"preset": "standard", "count": 20})
    link.cut()
    # The first size is sent at once.
    page.run("""
        const screen = { width: 1280, height: 800 };
        const resize = (_, place) => session.send({ type: "resize", viewport: { width: 300, height: 1499 - place }, screen });
        const sizes = Array.from({ length: 1100 }, resize);
        window.waiting = session.waitingCount;
        window.done = null;
        Promise.all([...sizes, session.send({ type: "swipe", direction: "left" })]).then((answers) => (done = answers.flat()), (error) => (done = String(error)));
    """)
    assert page.run("return waiting") == 2
    page.until("return view.frame.currentIndex === 1")
    link.mend()
    results = page.until("return done")
    assert len(results) == 1101 and all(result["applied"] for result in results)
    assert page.run_async("return (await session.get()).viewport") == {"width": 300, "height": 400}
    assert verdicts(page) == ["left"]
    page.check_rest()


def test_stream_is_opened_again_after_an_error_of_the_server(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.run("""
        const send = fetch;
        window.failures = 0;
        window.fetch = async (url, request) => (url.includes("/stream") && !failures++ ? new Response("", { status: 500 }) : send(url, request));
    """)
    info = page.begin()
    page.until("return log.problem.some(({ status }) => status === 500)")
    deckd.ask("POST", f"/v1/sessions/{info['id']}/events", {"type": "swipe", "direction": "left"}, info["token"])
    page.until("return view.frame.currentIndex === 1")
    page.check_rest()


def test_many_events_after_many_moves_are_not_too_long_for_a_request(link, open_page, deckd):
    page = open_page(f"{link.url}/deckd.js")
    page.begin({"preset": "standard", "count": 20})
    link.cut()
    # The first move is sent at once, and 64 wait.
    page.run("""
        for (let x = 0; x <= 64; x++) session.move({ type: "drag", phase: "changed", translation: { x, y: 0 } });
        window.done = null;
        session.send(Array(256).fill({ type: "tap" })).then(({ length }) => (done = length), ({ type }) => (done = type));
    """)
    link.mend()
    page.until("return done !== null")
    assert page.run("return done") == 256


@pytest.mark.parametrize("status, content_type, text", [
    (200, "text/html", "<h1>Log in</h1>"), (404, "text/plain", "default backend - 404"), (500, "text/html", "<h1>Oops</h1>"),
    (403, "text/plain", "Forbidden"), (408, "text/plain", "Too slow"), (410, "text/html", "<h1>Gone</h1>"),
])
def test_answer_of_a_proxy_ends_nothing(proxy, open_page, status, content_type, text):
    page = open_page(f"{proxy.url}/deckd.js")
    page.begin()
    page.check_rest()
    page.run("""
        window.answers = 0;
        const { fetch } = window;
        window.fetch = async (url, request) => {
          const answer = await fetch(url, request);
          answers += url.includes("/events");
          return answer;
        };
        session.addEventListener("ended", () => (log.isEnded = true));
    """)
    proxy.fault = (status, content_type, text)
    page.run("for (let count = 0; count < 5; count++) view.swipe('right')")
    page.until("return answers > 1 && log.connection.includes(false)")
    assert page.run("return [session.waitingCount, session.isEnded, session.isPredicting]") == [5, False, True]
    proxy.fault = None
    page.check_rest()
    assert verdicts(page) == ["right"] * 5
    page.until("return log.connection.at(-1)")
    assert not page.run("return log.isEnded")


def test_request_that_a_proxy_finds_too_large_is_not_repeated(proxy, open_page):
    page = open_page(f"{proxy.url}/deckd.js")
    proxy.fault = (413, "text/html", "<h1>Too large</h1>")
    status = page.run_async("""
        const { DeckClient } = await import("/deckd.js");
        return new DeckClient().decks.list().catch(({ status }) => status);
    """)
    assert status == 413
