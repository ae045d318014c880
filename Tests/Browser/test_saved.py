"""What a page leaves behind: events without an answer, sessions that are closed, cards that were not read."""

import pytest

# A storage that two sessions share, as the pages of a tab do, and requests whose answers are lost.
SETUP = """
const items = new Map();
window.storage = {
  getItem: (name) => items.get(name) ?? null,
  setItem: (name, value) => void items.set(name, value),
  removeItem: (name) => void items.delete(name),
};
window.isLosing = false;
window.lost = [];
const send = fetch;
window.fetch = async (url, request) => {
  const answer = await send(url, request);
  if (!isLosing || request?.method !== "POST") return answer;
  lost.push(request.body);
  return new Promise(() => {});
};
window.until = async (condition) => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
};
window.request = { deck: { preset: "standard", count: 30 }, viewport: { width: 300, height: 400 } };
"""


@pytest.fixture
def page(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.run(SETUP)
    return page


def test_event_whose_answer_was_lost_is_applied_once_after_a_reload(page):
    count = page.run_async("""
        const { DeckClient } = await import("/deckd.js");
        const first = await new DeckClient({ storage }).sessions.create(request);
        for (let count = 0; count < 6; count++) await first.send({ type: "swipe", direction: "right" });
        isLosing = true;
        first.send({ type: "revert", direction: "origin" });
        await until(() => lost.length);
        isLosing = false;
        const second = await new DeckClient({ storage }).sessions.open({ id: first.id, token: first.token });
        await second.send({ type: "swipe", direction: "left" });
        return (await second.verdicts()).length;
    """)
    assert count == 6, "six swipes, one of them reverted, and another one"


def test_request_of_another_tab_is_not_repeated_with_another_key(page):
    count = page.run_async("""
        const { DeckClient } = await import("/deckd.js");
        const open = (seat) => new DeckClient({ storage }).sessions.open(seat);
        const first = await new DeckClient({ storage }).sessions.create(request);
        for (let count = 0; count < 6; count++) await first.send({ type: "swipe", direction: "right" });
        const { id, token } = first;
        isLosing = true;
        first.send({ type: "tap" });
        await until(() => lost.length);
        // These wait for the answer to the tap, and are in the storage of both tabs.
        first.send({ type: "tap" });
        first.send({ type: "revert", direction: "origin" });
        isLosing = false;
        const tabs = await Promise.all([open({ id, token }), open({ id, token })]);
        for (const tab of tabs) tab.send({ type: "press" });
        await until(() => tabs.every((tab) => tab.waitingCount === 0));
        return (await tabs[0].verdicts()).length;
    """)
    assert count == 5


@pytest.mark.parametrize("leave", ["close", "hide"])
def test_events_that_are_sent_before_their_turn_are_applied_once(page, leave):
    """They wait for a snapshot when the page is left. Another event follows before it has come."""
    counts = page.run_async("""
        const { DeckClient } = await import("/deckd.js");
        const client = new DeckClient({ storage });
        const first = await client.sessions.create(request);
        const { id, token } = first;
        const other = await new DeckClient({ storage: null }).sessions.open({ id, token });
        await until(() => first.isPredicting && other.isPredicting);
        for (let count = 0; count < 6; count++) await other.send({ type: "swipe", direction: "right" });
        const { fetch } = window;
        const posts = [];
        let isHeld = true;
        window.fetch = async (url, request) => {
          await until(() => !isHeld || !url.includes("/snapshot"));
          const answer = await fetch(url, request);
          if (request.method === "POST") posts.push(JSON.parse(request.body));
          return answer;
        };
        await first.refresh();
        for (let count = 0; count < 2; count++) first.send({ type: "revert", direction: "origin" }).catch(() => {});
        if (cases === "close") first.close();
        else dispatchEvent(new Event("pagehide"));
        await until(() => posts.length);
        const second = cases === "close" ? await client.sessions.open({ id, token }) : first;
        second.send({ type: "tap" });
        isHeld = false;
        await until(() => second.waitingCount === 0);
        return [posts[0].events.length, (await second.verdicts()).length];
    """, leave)
    assert counts == [2, 4]


@pytest.mark.parametrize("has_engine", [True, False])
def test_events_survive_a_reload_also_without_the_engine(page, has_engine):
    count = page.run_async("""
        const { DeckClient } = await import("/deckd.js");
        const client = () => {
          const client = new DeckClient({ storage });
          if (!cases) Object.defineProperty(client, "engine", { get: () => Promise.reject(new Error("not allowed")) });
          return client;
        };
        const first = await client().sessions.create(request);
        if (cases) await until(() => first.isPredicting);
        isLosing = true;
        first.send({ type: "swipe", direction: "right" });
        await until(() => lost.length);
        first.send({ type: "swipe", direction: "left" });
        isLosing = false;
        const second = await client().sessions.open({ id: first.id, token: first.token });
        await until(() => second.waitingCount === 0);
        return (await second.verdicts()).length;
    """, has_engine)
    assert count == 2


def test_session_is_saved_only_without_a_network(page):
    saved = page.run_async("""
        const { DeckClient } = await import("/deckd.js");
        const saved = [];
        const { setItem } = storage;
        storage.setItem = (name, value) => {
          saved.push(name.split(".").at(-1));
          setItem(name, value);
        };
        const session = await new DeckClient({ storage }).sessions.create(request);
        await until(() => session.isPredicting);
        for (let count = 0; count < 3; count++) await session.send({ type: "swipe", direction: "right" });
        const online = saved.splice(0);
        const { fetch } = window;
        window.fetch = () => Promise.reject(new TypeError("no network"));
        session.send({ type: "swipe", direction: "right" });
        await until(() => !session.isConnected);
        session.send({ type: "swipe", direction: "right" });
        window.fetch = fetch;
        session.close();
        return [online, saved].map((names) => [names.length > 0, names.filter((name) => name === "session").length]);
    """)
    assert saved == [[True, 0], [True, 1]]


def test_session_is_saved_when_its_page_is_left(page):
    names = page.run_async("""
        const { DeckClient } = await import("/deckd.js");
        const session = await new DeckClient().sessions.create(request);
        await until(() => session.isPredicting);
        isLosing = true;
        session.send({ type: "swipe", direction: "right" });
        await until(() => lost.length);
        const before = Object.keys(sessionStorage).length;
        dispatchEvent(new Event("pagehide"));
        return [before, Object.keys(sessionStorage).length];
    """)
    assert names == [1, 2]


@pytest.mark.parametrize("gap", ["notification", "answer", "snapshot", "stream"])
def test_closed_session_tells_nothing(page, gap):
    told = page.run_async("""
        const { DeckClient } = await import("/deckd.js");
        const told = [];
        let session, isClosed = false;
        const close = () => {
          session.close();
          isClosed = true;
        };
        const paths = { answer: "/events", snapshot: "/snapshot" };
        const onRequest = ({ url }) => session && !isClosed && paths[cases] && url.includes(paths[cases]) && close();
        session = await new DeckClient({ storage, onRequest }).sessions.create(request);
        for (const type of ["frame", "notification", "refused", "correction", "problem", "connection", "ended"]) {
          session.addEventListener(type, ({ detail }) => {
            if (isClosed) told.push([type, detail.type]);
            else if (type === "notification" && !paths[cases]) close();
          });
        }
        if (cases !== "snapshot") {
          await until(() => session.isPredicting);
          const events = [{ type: "swipe", direction: "right" }, { type: "tap" }, { type: "press" }];
          if (cases === "stream") {
            session.watch();
            const { id, token } = session;
            const other = await new DeckClient({ storage: null }).sessions.open({ id, token });
            await other.client.request("POST", `/v1/sessions/${id}/events`, { token, body: { events } });
          } else session.send(events);
        }
        await until(() => isClosed);
        await new Promise((resolve) => setTimeout(resolve, 500));
        return { told, isPredicting: session.isPredicting, send: await session.send({ type: "tap" }).catch(({ name }) => name) };
    """, gap)
    assert told == {"told": [], "isPredicting": False, "send": "AbortError"}


@pytest.mark.parametrize("change, who", [("undo", "playerToken"), ("undo", "token"), ("shuffle", "token")])
def test_cards_that_were_not_read_are_read_when_they_are_shown(page, change, who):
    ids = page.run_async("""
        const { DeckClient } = await import("/deckd.js");
        const [change, who] = cases;
        const cards = Array.from({ length: 300 }, (_, index) => ({ id: `card-${index}`, data: { index } }));
        const deck = { preset: "standard", cards, motion: { backgroundDuration: 1 } };
        const owner = await new DeckClient({ storage: null }).sessions.create({ ...request, deck });
        for (let count = 0; count < 40; count++) await owner.send({ type: "swipe", direction: "right" });
        const { id, info } = owner;
        const session = await new DeckClient({ storage: null }).sessions.open({ id, token: info[who] });
        await until(() => session.isPredicting);
        if (change === "undo") for (let count = 0; count < 20; count++) await session.send({ type: "revert", direction: "origin" });
        else await session.send({ type: "shuffle", seed: 7 });
        const shown = () => session.frameAt(session.now).cards.filter(({ role }) => role !== "leaving");
        await until(() => shown().length === 3 && shown().every(({ data }) => data));
        const server = (await session.refresh()).cards.filter(({ role }) => role !== "leaving").map(({ id }) => id);
        return [shown().map(({ id }) => id), server];
    """, [change, who])
    assert ids[0] == ids[1] and all(card.startswith("card-") for card in ids[0])


def test_card_that_was_not_read_is_not_shown(link, deckd, open_page):
    # Cards whose ids are the numbers of other cards.
    cards = [{"id": f"{number + 1}", "data": {"title": f"card {number + 1}"}} for number in range(40)]
    made = deckd.ask("POST", "/v1/sessions", {"deck": {"preset": "standard", "cards": cards}, "viewport": {"width": 300, "height": 400}})
    page = open_page(f"{link.url}/deckd.js")
    page.begin(seat={"id": made["id"], "token": made["playerToken"]}, options={"delivery": "poll"})
    page.check_rest()
    page.run("""
        window.drawn = [];
        session.addEventListener("frame", ({ detail }) => drawn.push(...detail.cards));
        session.addEventListener("correction", ({ detail }) => drawn.push(...detail.before.cards, ...detail.after.cards));
    """)
    link.delay = 0.4
    page.run_async("""
        for (let count = 0; count < 8; count++) {
          view.swipe("right");
          await new Promise((resolve) => setTimeout(resolve, 500));
        }
    """)
    link.delay = 0
    page.until("return session.waitingCount === 0 && view.frame.cards.length === 3 && !view.frame.animating")
    page.check_rest()
    drawn = page.run("return drawn.map(({ id, index, data }) => [id, index, data?.title])")
    assert drawn and all((card, title) == (f"{index + 1}", f"card {index + 1}") for card, index, title in drawn)
    refused = page.run("return log.refused.map(({ reason }) => reason)")
    swiped = [verdict["id"] for verdict in page.run_async("return session.verdicts()")]
    assert set(refused) == {"no-card"} and len(refused) + len(swiped) == 8
    assert swiped == [f"{number + 1}" for number in range(len(swiped))]


def test_database_is_opened_again_after_the_browser_closed_it(page):
    value = page.run_async("""
        const { DeckDatabase } = await import("/deckd.js");
        window.database = new DeckDatabase("removed");
        await database.setItem("a", "1");
        await new Promise((resolve, reject) => {
          const removal = indexedDB.deleteDatabase("removed");
          Object.assign(removal, { onsuccess: resolve, onblocked: () => reject(new Error("blocked")) });
        });
        await database.setItem("a", "2");
        return database.getItem("a");
    """)
    assert value == "2"
    page.cdp("Storage.clearDataForOrigin", origin=page.run("return location.origin"), storageTypes="indexeddb")
    assert page.run_async("await database.setItem('b', '3'); return [await database.getItem('a'), await database.getItem('b')]") == [None, "3"]
