"""The element <swipe-deck>: its attributes, slots, events, and what it does when it leaves the page and comes back."""

import importlib.resources

from elements import CARDS, create, events
from page import Keys
from server import Deckd

AXE = importlib.resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
# What the servers of docs/security.md allow at most, without any style.
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; form-action 'none'"
TEMPLATE = '<template><article><h2>{{title}}</h2><p>{{of.country}}</p><a href="{{url}}">{{label}}</a></article></template>'
NOTES = "return [...deck.shadowRoot.querySelectorAll('[part=note] slot')].filter(({ hidden }) => !hidden).map(({ name }) => name)"


def test_session_is_shown_under_a_strict_policy(deckd, show):
    made = create(deckd)
    page = show(TEMPLATE, policy=POLICY, session=made["id"], token=made["playerToken"], label="Places")
    page.until("return deck.view.session.isPredicting")
    shown = page.run("return [...deck.querySelectorAll('article')].map((element) => element.textContent)")
    assert shown == ["LvivUkraineLviv", "<img src=x onerror=alert(1)>Porto", "KyotoKyoto"]
    links = page.run("return [...deck.querySelectorAll('a')].map((link) => link.getAttribute('href'))")
    assert links == ["", "/porto", ""], "what a card says is not run"
    assert page.run("return deck.querySelectorAll('img').length") == 0
    assert page.run("return getComputedStyle(deck).width") == "300px", "the element has its style under this policy"
    page.run(AXE)
    assert page.run_async("return (await axe.run()).violations.map(({ id, nodes }) => [id, nodes[0].html])") == []


def test_element_is_reached_by_keys_and_named(deckd, show):
    made = create(deckd)
    page = show(session=made["id"], token=made["token"], label="Places")
    page.cdp("Accessibility.enable")
    nodes = page.cdp("Accessibility.getFullAXTree")["nodes"]
    named = [(node["role"]["value"], node.get("name", {}).get("value")) for node in nodes if not node.get("ignored")]
    assert ("region", "Places") in named and ("group", "Lviv, 1 of 4") in named
    page.run("deck.focus()")
    page.press(Keys.ARROW_RIGHT)
    page.until("return log.some(([, type]) => type === 'swipe')")
    assert events(page, "swipe")[0]["id"] == "lviv" and events(page, "swipe")[0]["direction"] == "right"


def test_events_tell_what_happens_and_not_what_has_happened(deckd, show):
    made = create(deckd)
    for at in range(2):
        deckd.ask("POST", f"/v1/sessions/{made['id']}/events", {"type": "swipe", "direction": "left"}, made["token"])
    while deckd.ask("GET", f"/v1/sessions/{made['id']}/frame", token=made["token"])["animating"]:
        pass  # The notification of a swipe comes when the next card has moved into place.
    page = show(session=made["id"], token=made["token"])
    page.run("deck.swipe('right')")
    page.until("return log.some(([, type]) => type === 'swipe')")
    page.run("deck.revert()")
    page.until("return log.some(([, type]) => type === 'revert')")
    x, y = page.run("const b = deck.getBoundingClientRect(); return [b.x, b.y]")
    page.until("return !deck.view.frame.animating")
    finger = page.finger("mouse")
    finger.down(round(x + 150), round(y + 100))
    finger.up()
    page.until("return log.some(([, type]) => type === 'tap')")
    page.run("deck.swipe('left'); deck.swipe('left')")
    page.until("return log.some(([, type]) => type === 'runout')")
    page.until("return log.filter(([, type]) => type === 'swipe').length === 3")
    assert [detail["id"] for detail in events(page, "swipe", "tap", "revert")] == ["kyoto", "kyoto", "kyoto", "kyoto", "fez"]
    assert events(page, "problem") == []
    assert {name for name, _, _ in page.run("return log")} == {"swipe-deck"}


def test_redo_is_told(deckd, show):
    made = create(deckd)
    page = show(session=made["id"], token=made["token"])
    for action in ("swipe", "revert", "redo"):
        page.run("deck[arguments[0]]('right')", action)
        page.until("return log.some(([, type]) => type === arguments[0])", action)
    assert [detail["id"] for detail in events(page, "swipe", "revert", "redo")] == ["lviv"] * 3


def test_card_is_no_part_of_a_script(deckd, show):
    made = create(deckd, [{"id": "a", "data": {"script": "data:text/javascript,window.isRun = true"}}])
    template = '<template><article>{{id}}<script src="{{script}}"></script></article></template>'
    page = show(template, session=made["id"], token=made["token"])
    page.until("return deck.querySelector('article')")
    page.run_async("await new Promise((resolve) => setTimeout(resolve, 200))")
    assert page.run("return [deck.querySelector('article').textContent, window.isRun ?? null]") == ["a", None]


def test_few_cards_are_told(deckd, show):
    deckd.ask("PUT", "/v1/decks/few", {"cards": CARDS, "rules": {"refillAt": 3}})
    page = show(deck="few")
    page.run("deck.swipe('right')")
    page.until("return log.some(([, type]) => type === 'needcards')")
    assert events(page, "needcards")[0]["remaining"] == 3


def test_changed_attributes_show_another_session(deckd, show):
    first, second = create(deckd), create(deckd, [{"id": "oslo"}])
    page = show(session=first["id"], token=first["token"])
    view = "return deck.view.element.getAttribute('aria-label')"
    page.run("window.former = deck.view; deck.label = 'Towns'")
    assert page.run(view) == "Towns" and page.run("return deck.cards[0].id") == "lviv"
    assert page.run("return deck.view === former"), "a drag and the focus continue"
    page.run("deck.session = arguments[0]; deck.token = arguments[1]", second["id"], second["token"])
    page.until("return deck.cards[0]?.id === 'oslo'")
    assert page.run("return deck.getAttribute('session')") == second["id"]
    assert len(events(page, "ready")) == 2, "two attributes are one change"
    page.run("deck.readOnly = true")
    page.run("deck.swipe('left')")
    assert page.run("return deck.outerHTML").count("readonly") == 1
    page.run("deck.removeAttribute('session')")
    page.until("return deck.view === null")
    assert page.run("return deck.cards") == []


def test_element_that_comes_back_continues(deckd, show):
    deckd.ask("PUT", "/v1/decks/return", {"cards": CARDS})
    page = show(TEMPLATE, deck="return")
    page.run("window.first = deck.view; window.id = deck.view.session.id; deck.swipe('right')")
    page.until("return deck.view.session.waitingCount === 0")
    page.run("document.body.append(deck)")
    page.display_frames(3)
    assert page.run("return deck.view === first"), "it has only moved"
    page.run("deck.remove()")
    page.until("return deck.view === null")
    assert page.run("return [deck.querySelectorAll('article').length, deck.shadowRoot.querySelectorAll('[part~=card]').length]") == [0, 0]
    page.run("document.body.append(deck)")
    page.until("return deck.view?.frame")
    assert page.run("return [deck.view.session.id === id, deck.view.frame.currentIndex]") == [True, 1]
    assert events(page, "problem") == []


def test_element_that_leaves_while_it_is_opened_has_one_session(deckd, show):
    deckd.ask("PUT", "/v1/decks/once", {"cards": CARDS})
    page = show(ready=False)
    page.until("return Boolean(window.deck?.shadowRoot)")
    page.run_async("""
        const turn = () => new Promise((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
        deck.remove();
        await turn();
        log.length = 0;
        deck.deck = "once";
        document.body.append(deck);
        await turn();
        deck.remove();
        await turn();
        document.body.append(deck);
    """)
    page.until("return deck.view?.frame")
    page.run_async("await new Promise((resolve) => setTimeout(resolve, 300))")
    assert len(events(page, "ready")) == 1
    assert len(deckd.ask("GET", "/v1/sessions?deck=once")["sessions"]) == 1
    page.run("deck.swipe('right')")
    page.until("return log.some(([, type]) => type === 'swipe')")
    assert events(page, "problem") == []


def test_swipe_that_waited_while_the_element_was_away_is_told(deckd, show):
    made = create(deckd)
    page = show(session=made["id"], token=made["token"])
    page.until("return deck.view.session.isPredicting && !deck.view.frame.animating")
    page.run("""
        window.send = fetch;
        window.fetch = (url, request) => (request?.method === "POST" ? Promise.reject(new TypeError("no network")) : send(url, request));
        deck.swipe("right");
    """)
    page.until("return deck.view.session.waitingCount === 1 && !deck.view.frame.animating")
    page.run("deck.remove()")
    page.until("return deck.view === null")
    assert events(page, "swipe") == []
    page.run("window.fetch = send; document.body.append(deck)")
    page.until("return log.some(([, type]) => type === 'swipe')")
    assert [detail["id"] for detail in events(page, "swipe")] == ["lviv"]


def test_note_comes_after_a_swipe_that_has_waited_for_the_deck(deckd, show):
    made = create(deckd, deck={"cards": CARDS[:2], "rules": {"whileAnimating": "queue"}})
    inside = '<p slot="empty">None left.</p><button slot="actions" data-action="left">No</button>'
    page = show(inside, session=made["id"], token=made["token"])
    page.until("return deck.view.session.isPredicting && !deck.view.frame.animating")
    page.run("deck.swipe('left'); setTimeout(() => deck.swipe('left'), 50)")
    page.until("return log.some(([, type]) => type === 'runout')")
    page.until(f"return (() => {{ {NOTES} }})().includes('empty')")
    assert page.run("return [deck.querySelector('button').disabled, deck.view.session.frame.exhausted]") == [True, True]


def test_cards_are_children_with_slots(deckd, show):
    made = create(deckd, [{"id": "lviv", "label": "Lviv"}, {"id": "porto"}, {"id": "kyoto", "data": {"title": "Kyoto"}}])
    inside = '<button slot="card-lviv">Mine</button><template><b onclick="{{id}}">{{id}}<script>window.ran = "{{id}}"</script></b></template>'
    page = show(inside, session=made["id"], token=made["token"])
    assert page.run("return [...deck.children].slice(2).map(({ firstChild }) => firstChild.data)") == ["porto", "kyoto"]
    assert page.run("return [ran, deck.querySelector('b').getAttribute('onclick')]") == ["{{id}}", "{{id}}"], "a card is no script"
    assert [card["id"] for card in events(page, "cards")[-1]] == ["lviv", "porto", "kyoto"]
    page.until("return !deck.view.frame.animating")
    page.run("window.clicks = 0; deck.querySelector('button').addEventListener('click', () => clicks++)")
    x, y = page.run("const b = deck.querySelector('button').getBoundingClientRect(); return [b.x + 150, b.y + 100]")
    finger = page.finger("mouse")
    finger.down(round(x), round(y))
    finger.up()
    page.until("return clicks === 1")
    finger.drag(round(x), round(y), 140, 0)
    page.until("return deck.view.frame.currentIndex === 1")
    assert page.run("return clicks") == 1 and events(page, "tap") == []


def test_function_draws_cards_instead(deckd, show):
    made = create(deckd)
    page = show(TEMPLATE, session=made["id"], token=made["token"])
    page.run("deck.render = (card, content) => (content.textContent = `Drawn ${card.id}`)")
    drawn = "return [...deck.shadowRoot.querySelectorAll('[part~=content]')].map(({ textContent }) => textContent)"
    assert page.run(drawn) == ["Drawn lviv", "Drawn porto", "Drawn kyoto"]
    assert page.run("return deck.querySelectorAll('article').length") == 0


def test_ended_session_and_unknown_deck_are_told(deckd, show):
    made = create(deckd)
    page = show('<p slot="ended">Over.</p>', session=made["id"], token=made["token"])
    assert page.run(NOTES) == []
    deckd.ask("DELETE", f"/v1/sessions/{made['id']}", token=made["token"])
    page.until("return log.some(([, type]) => type === 'ended')")
    assert page.run(NOTES) == ["ended"]
    assert page.run("return deck.querySelector('p').checkVisibility()")
    page.run("deck.removeAttribute('session'); deck.deck = 'no-such-deck'")
    page.until(f"return (() => {{ {NOTES} }})().includes('failed')")
    assert page.run("return log.at(-1)[1]") == "problem"
    page.run("deck.session = arguments[0]", made["id"])
    page.until(f"return (() => {{ {NOTES} }})().includes('ended')")


def test_note_can_be_clicked_and_gives_way_to_a_card(deckd, show):
    made = create(deckd, CARDS[:1])
    page = show('<p slot="empty">None left. <button>More</button></p>', session=made["id"], token=made["token"])
    page.until("return deck.view.session.isPredicting && !deck.view.frame.animating")
    page.run("window.clicks = 0; deck.querySelector('button').addEventListener('click', () => clicks++); deck.swipe('left')")
    page.until(f"return !deck.view.frame.animating && (() => {{ {NOTES} }})().includes('empty')")
    x, y = page.run("const b = deck.querySelector('button').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]")
    finger = page.finger("mouse")
    finger.down(round(x), round(y))
    finger.up()
    page.until("return clicks === 1")
    page.run("deck.revert()")
    page.until(f"return !deck.view.frame.animating && (() => {{ {NOTES} }})().length === 0")
    finger.drag(round(x), round(y), 140, 0)
    page.until("return deck.view.frame.exhausted")


def test_element_is_opened_when_the_server_is_back(deckd, show):
    deckd.ask("PUT", "/v1/decks/outage", {"cards": CARDS})
    page = show(ready=False)
    page.until("return Boolean(window.deck?.shadowRoot)")
    # The server gets the requests, and its answers are lost. The module repeats them at once, and the element only when there is a network.
    page.run("""
        window.send = fetch;
        window.fetch = (...request) => send(...request).then(() => Promise.reject(new TypeError("no network")));
        Math.random = () => (log.some(([, type]) => type === "problem") ? 1e9 : 0);
        deck.deck = "outage";
    """)
    page.until(f"return (() => {{ {NOTES} }})().includes('failed')")
    page.run("window.fetch = send; dispatchEvent(new Event('online'))")
    page.until("return deck.view?.frame")
    assert page.run(NOTES) == [] and len(events(page, "problem")) == 1
    assert len(deckd.ask("GET", "/v1/sessions?deck=outage")["sessions"]) == 1, "the request had one key"


def test_address_that_is_none_is_told(show):
    page = show(ready=False)
    page.until("return Boolean(window.deck?.shadowRoot)")
    page.run("deck.src = 'http://'; deck.deck = 'sample'")
    page.until("return log.some(([, type]) => type === 'problem')")
    assert page.run(NOTES) == ["failed"]


def test_deck_whose_session_has_ended_gets_another_one(deckd, show):
    page = show(deck="sample")
    end = """
        window.former = deck.view.session;
        await deck.view.session.client.request("DELETE", `/v1/sessions/${former.id}`, { token: former.token });
    """
    for again in ("deck.remove(); setTimeout(() => document.body.append(deck))", "deck.reload()"):
        page.run_async(end)
        page.until(f"return (() => {{ {NOTES} }})().includes('ended')")
        page.run(again)
        page.until("return deck.view?.frame && deck.view.session.id !== former.id")
        assert page.run(NOTES) == []


def test_focus_of_a_button_that_is_disabled_goes_to_the_deck(deckd, show):
    made = create(deckd)
    page = show('<button slot="actions" data-action="revert">Undo</button>', session=made["id"], token=made["token"])
    page.run("deck.swipe('left')")
    page.until("return !deck.querySelector('button').disabled")
    page.run("deck.querySelector('button').focus()")
    page.press(Keys.ENTER)
    page.until("return deck.querySelector('button').disabled")
    page.display_frames(3)
    assert page.run("return [document.activeElement.localName, deck.shadowRoot.activeElement?.part.value]") == ["swipe-deck", "deck"]


def test_properties_before_the_element_is_defined_count(deckd, open_page, serve):
    made = create(deckd)
    page = open_page(f"{serve({'/page': '<!doctype html><title>Deck</title>'})}/page")
    page.run_async("""
        const deck = (window.deck = document.createElement("swipe-deck"));
        Object.assign(deck, { session: cases[0], token: cases[1], label: "Early" });
        document.body.append(deck);
        await import("/swipe-deck.js");
    """, [made["id"], made["token"]])
    page.until("return deck.view?.frame")
    assert page.run("return [deck.getAttribute('session'), deck.view.element.ariaLabel]") == [made["id"], "Early"]


def test_element_of_another_origin_asks_its_own_server(tmp_path, deckd, serve, open_page):
    page_text = '<!doctype html><title>Deck</title><script type="module" src="{}/swipe-deck.js"></script><swipe-deck deck="sample"></swipe-deck>'
    files = {}
    url = serve(files)
    other = Deckd(tmp_path, DECKD_ACCESS_ALLOWED_ORIGINS=url)
    files["/page"] = page_text.format(other.url)
    try:
        page = open_page(f"{url}/page")
        page.run("window.deck = document.querySelector('swipe-deck')")
        page.until("return deck.view?.session.isPredicting")
        page.run("deck.src = arguments[0]", url)
        page.until("return deck.view?.session.client.baseURL === arguments[0] && deck.view.frame", url)
    finally:
        other.stop()


def test_focus_of_a_button_stays_in_the_element_when_another_session_is_opened(deckd, show):
    first, second = create(deckd), create(deckd)
    page = show('<button slot="actions" data-action="left">No</button>', session=first["id"], token=first["token"])
    enabled = "return deck.view?.session.id === arguments[0] && !deck.querySelector('button').disabled"
    changes = [
        ("deck.reload()", first), ("[deck.session, deck.token] = [arguments[0].id, arguments[0].token]", second), ("deck.readOnly = true", None),
    ]
    page.until(enabled, first["id"])
    # The window gets the focus.
    page.press(Keys.TAB)
    for change, made in changes:
        page.run(
            f"""
            const button = deck.querySelector("button");
            // It can be enabled again before the test looks.
            window.wasDisabled = false;
            new MutationObserver(() => {{ wasDisabled ||= button.disabled; }}).observe(button, {{ attributes: true }});
            button.focus(); {change}
            """,
            made,
        )
        page.until("return wasDisabled")
        page.display_frames(3)
        assert page.run("return [document.activeElement.localName, deck.shadowRoot.activeElement?.part.value]") == ["swipe-deck", "deck"], change
        if made:
            page.until(enabled, made["id"])
            assert page.run("return deck.shadowRoot.activeElement?.part.value") == "deck", change


def test_button_that_is_added_later_is_enabled_if_it_can_do_something(deckd, show):
    made = create(deckd)
    page = show('<div slot="actions"></div>', session=made["id"], token=made["token"])
    page.until("return !deck.view.frame.animating && deck.view.session.isPredicting")
    states = page.run_async("""
        const button = document.createElement("button");
        button.dataset.action = "revert";
        deck.querySelector("div").append(button);
        await null;
        const states = [button.disabled];
        button.dataset.action = "left";
        await null;
        states.push(button.disabled);
        deck.readOnly = true;
        const other = button.cloneNode();
        deck.append(other);
        await null;
        return [...states, other.disabled];
    """)
    assert states == [True, False, True]


# The sides of an element that are drawn: a border or an outline that can be seen.
EDGE = """
const { outlineColor, outlineStyle } = getComputedStyle(arguments[0]);
return outlineStyle === "solid" && outlineColor.startsWith("rgb(");
"""


def test_cards_and_the_chosen_tab_have_an_edge_with_forced_colours(deckd, show, open_page):
    forced = [{"name": "forced-colors", "value": "active"}]
    made = create(deckd)
    page = show(session=made["id"], token=made["token"])
    face = "return deck.shadowRoot.querySelector('[part~=face]')"
    assert not page.run(EDGE, page.run(face))
    page.cdp("Emulation.setEmulatedMedia", features=forced)
    assert page.run(EDGE, page.run(face))
    page = open_page(deckd.url)
    chosen = "return document.querySelector('[role=tab][aria-selected=true]')"
    page.until(chosen)
    assert not page.run(EDGE, page.run(chosen))
    page.cdp("Emulation.setEmulatedMedia", features=forced)
    assert page.run(EDGE, page.run(chosen))
    page.run("document.querySelector('[role=tab][aria-selected=true]').focus()")
    page.press(Keys.ARROW_RIGHT)
    assert page.run("return getComputedStyle(document.activeElement).outlineWidth") == "3px"


def test_another_function_draws_the_cards_again_during_a_drag(deckd, show):
    made = create(deckd)
    page = show(TEMPLATE, session=made["id"], token=made["token"])
    page.run("deck.render = (card, content) => (content.textContent = `Drawn ${card.id}`); window.view = deck.view")
    x, y = page.run("const { x, y, width, height } = deck.getBoundingClientRect(); return [x + width / 2, y + height / 2].map(Math.round)")
    finger = page.finger("mouse")
    finger.down(x, y)
    finger.move(60, 0)
    page.run("deck.render = (card, content) => (content.textContent = `New ${card.id}`)")
    assert page.run("return [deck.view === view, deck.view.frame.dragging]") == [True, True]
    drawn = "return [...deck.shadowRoot.querySelectorAll('[part~=content]')].map(({ textContent }) => textContent)"
    assert page.run(drawn) == ["New lviv", "New porto", "New kyoto"]
    finger.move(90, 0)
    finger.up()
    page.until("return deck.view.frame.currentIndex === 1")
    page.run("deck.render = null")
    page.until("return deck.querySelectorAll('article').length >= 2")


def test_buttons_of_other_libraries_are_theirs(deckd, show):
    made = create(deckd)
    page = show('<template><p><button data-action="click->gallery#next">More</button></p></template>', session=made["id"], token=made["token"])
    page.until("return deck.querySelector('p button')")
    assert page.run("return [...deck.querySelectorAll('p button')].every(({ disabled }) => !disabled)")
    page.run("deck.querySelector('p button').click()")
    assert page.run("return deck.view.session.waitingCount") == 0 and events(page, "problem") == []


def test_template_that_comes_late_is_used(deckd, show):
    made = create(deckd)
    page = show("", session=made["id"], token=made["token"])
    page.run("deck.insertAdjacentHTML('beforeend', arguments[0])", TEMPLATE)
    page.until("return deck.querySelectorAll('article h2').length === 3")
