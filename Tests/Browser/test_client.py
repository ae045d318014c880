"""What the client module sends to the server, and what it reports of the answers."""


def test_text_in_any_script_is_sent(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    count = page.run_async("""
        const { DeckClient } = await import("/deckd.js");
        const client = new DeckClient();
        // Fewer than 50,000 characters, and more than 64 KiB.
        const cards = Array.from({ length: 40 }, (_, place) => ({ id: `c${place}`, data: "я".repeat(1100) }));
        await client.decks.put("long-text", { cards });
        return (await client.decks.get("long-text")).cards.length;
    """)
    assert count == 40


def test_undefined_members_of_a_query_are_left_out(deckd, open_page):
    deckd.ask("PUT", "/v1/decks/listed", {"count": 1})
    page = open_page(f"{deckd.url}/deckd.js")
    count = page.run_async("""
        const { DeckClient } = await import("/deckd.js");
        return (await new DeckClient().decks.list({ limit: 1, cursor: undefined })).decks.length;
    """)
    assert count == 1


def test_answer_with_later_notifications_hides_none_of_another_client(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    told, last = page.run_async("""
        const { DeckClient } = await import("/deckd.js");
        const client = new DeckClient({ storage: null });
        const session = await client.sessions.create({ deck: { preset: "standard", count: 9 }, viewport: { width: 300, height: 400 } });
        const other = await client.sessions.open({ id: session.id, token: session.token });
        const told = [];
        session.addEventListener("notification", ({ detail }) => told.push(detail.seq));
        for (const direction of ["left", "right"]) {
          await other.send({ type: "swipe", direction });
          while ((await other.refresh()).animating);
        }
        await session.send({ type: "tap" });
        const { lastNotification } = await session.refresh();
        session.watch({ delivery: "poll", interval: 20 });
        for (let count = 0; count < 100 && told.length < lastNotification; count++) await new Promise((resolve) => setTimeout(resolve, 20));
        session.close();
        return [told, lastNotification];
    """)
    assert told[0] > 1, "the answer came first"
    assert sorted(told) == list(range(1, last + 1))


def test_opened_session_reports_what_happens_then(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    info = page.begin()
    page.run_async("await session.send({ type: 'swipe', direction: 'left' })")
    page.rest()
    told = page.run_async("""
        const again = await new deckd.DeckClient({ storage: null }).sessions.open(cases);
        const told = [];
        again.addEventListener("notification", ({ detail }) => told.push(detail.type));
        again.watch({ delivery: "poll", interval: 20 });
        await again.send({ type: "tap" });
        await new Promise((resolve) => setTimeout(resolve, 200));
        again.close();
        return told;
    """, {"id": info["id"], "token": info["token"]})
    assert told == ["didSelect"]


def test_request_with_the_same_key_creates_one_session(deckd, open_page):
    deckd.ask("PUT", "/v1/decks/keyed", {"count": 3})
    page = open_page(f"{deckd.url}/deckd.js")
    ids, status, failures, aborted = page.run_async("""
        const { DeckClient, newKey } = await import("/deckd.js");
        const client = new DeckClient({ storage: null });
        const request = { deck: "keyed", viewport: { width: 300, height: 400 } };
        const send = fetch;
        Math.random = () => 0;
        // The answers to the first eight requests are lost.
        let lost = 8;
        window.fetch = async (...call) => {
          const answer = await send(...call);
          if (lost-- > 0) throw new TypeError("no network");
          return answer;
        };
        const key = newKey();
        const status = await client.sessions.create(request, { key }).catch(({ status }) => status);
        const failures = [];
        const onFailure = (problem, count) => failures.push([problem.status, count]);
        const ended = new AbortController();
        const sessions = [await client.sessions.create(request, { key, attempts: Infinity, onFailure })];
        lost = 3;
        sessions.push(await client.sessions.open({ id: sessions[0].id, token: sessions[0].token }, { attempts: Infinity }));
        sessions.push(await client.sessions.create(request, { key: newKey() }));
        lost = Infinity;
        const attempt = client.sessions.open(sessions[0].info, { attempts: Infinity, signal: ended.signal, onFailure: () => ended.abort() });
        const aborted = await attempt.catch(({ name }) => name);
        window.fetch = send;
        for (const session of sessions) session.close();
        return [sessions.map(({ id }) => id), status, failures, aborted];
    """)
    assert ids[0] == ids[1] != ids[2] and status == 0
    assert failures == [[0, 0], [0, 1]] and aborted == "AbortError"
    assert len(deckd.ask("GET", "/v1/sessions?deck=keyed")["sessions"]) == 2


def test_error_of_a_function_of_the_page_changes_nothing_else(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    applied, is_predicting, reported = page.run_async("""
        const { DeckClient } = await import("/deckd.js");
        const reported = new Set();
        addEventListener("error", (event) => {
          event.preventDefault();
          reported.add(event.error.message);
        });
        const send = fetch;
        let isLost = true;
        window.fetch = async (...call) => {
          const answer = await send(...call);
          if (!isLost) return answer;
          isLost = false;
          throw new TypeError("no network");
        };
        const fail = (message) => () => {
          throw new Error(message);
        };
        const client = new DeckClient({ storage: null, onRequest: fail("onRequest") });
        const request = { deck: { preset: "standard", count: 9 }, viewport: { width: 300, height: 400 } };
        const session = await client.sessions.create(request, { onFailure: fail("onFailure") });
        while (!session.isPredicting) await new Promise((resolve) => setTimeout(resolve, 10));
        const [{ applied }] = await session.send({ type: "swipe", direction: "right" });
        await session.refresh();
        return [applied, session.isPredicting, [...reported].sort()];
    """)
    assert applied and is_predicting and reported == ["onFailure", "onRequest"]


def test_closed_session_does_not_send_again(link, open_page):
    page = open_page(f"{link.url}/deckd.js")
    page.begin()
    page.check_rest()
    link.cut()
    page.run("view.swipe('right')")
    page.until("return log.connection.includes(false)")
    page.run("""
        view.close();
        session.close();
        window.sent = 0;
        const { fetch } = window;
        window.fetch = (url, request) => (sent++, fetch(url, request));
    """)
    page.run_async("await new Promise((resolve) => setTimeout(resolve, 600))")
    assert page.run("return sent") == 0
