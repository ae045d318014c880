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
