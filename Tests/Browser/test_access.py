"""The view for everybody: still, from right to left, and scaled for who only looks."""

from page import Keys

X, Y = 250, 160


def test_stillness_is_kept_where_it_is_asked_for(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    page.begin()
    page.until("return session.info.motion.reduced")
    page.run("""
        window.ways = [];
        const look = () => {
          for (const card of document.querySelectorAll('.deckd-card')) ways.push([card.style.translate, card.style.rotate]);
          requestAnimationFrame(look);
        };
        look();
    """)
    page.run_async("return session.send({ type: 'swipe', direction: 'right' })")
    page.until("return view.frame.currentIndex === 1")
    page.check_rest()
    assert {tuple(way) for way in page.run("return ways")} == {("0px", "0rad")}
    page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "no-preference"}])
    page.until("return session.info.motion.reduced === false")


def test_stillness_that_the_deck_has_by_itself_is_left_as_it_is(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin({"preset": "standard", "count": 5, "motion": {"reduced": True}})
    page.check_rest()
    assert page.run_async("return (await session.get()).motion.reduced")
    for preference in ("reduce", "no-preference"):
        page.run("window.isHeard = false; matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', () => (isHeard = true))")
        page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": preference}])
        page.until("return isHeard")
        page.display_frames(2)
        assert page.run_async("return (await session.get()).motion.reduced")
    assert page.run("return log.requests.filter(({ method }) => method === 'PATCH')") == []


def test_stillness_ends_also_with_another_view(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    prefer = lambda preference: page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": preference}])
    show = "view.close(); window.view = new deckd.DeckView(document.getElementById('deck'), session)"
    prefer("reduce")
    page.begin()
    page.until("return session.info.motion.reduced")
    page.run(show)
    prefer("no-preference")
    page.until("return session.info.motion.reduced === false")
    # The preference can change while there is no view.
    prefer("reduce")
    page.until("return session.info.motion.reduced")
    page.run("view.close()")
    prefer("no-preference")
    page.until("return !matchMedia('(prefers-reduced-motion: reduce)').matches")
    page.run(show)
    page.until("return session.info.motion.reduced === false")


def test_left_is_left_in_a_page_from_right_to_left(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.run("document.documentElement.dir = 'rtl'")
    page.begin()
    page.check_rest()
    page.finger("mouse").drag(X, Y, -120, 0, hold=120)
    page.until("return view.frame.currentIndex === 1")
    # The page shows the swipe before the server has the event.
    assert page.until_async("return (await session.verdicts())[0]?.direction") == "left"
    page.check_rest()


def test_view_is_a_labelled_group_and_its_cards_say_what_they_are(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin({"cards": [{"id": "lviv", "label": "Lviv"}, {"id": "porto"}]}, options={"label": "Places"})
    page.cdp("Accessibility.enable")
    nodes = page.cdp("Accessibility.getFullAXTree")["nodes"]
    named = [(node["role"]["value"], node.get("name", {}).get("value")) for node in nodes if not node.get("ignored")]
    assert ("region", "Places") in named
    assert ("group", "Lviv, 1 of 2") in named
    assert not any(name and "porto" in name for _, name in named), "a card behind is not read"
    keys = page.run("return document.getElementById('deck').getAttribute('aria-keyshortcuts')")
    assert keys == "ArrowLeft ArrowRight"


def test_keys_do_what_the_frame_says(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    rules = {"allowedDirections": ["left", "up", "topLeft", "bottomRight"]}
    page.begin({"preset": "flip-carousel", "count": 9, "rules": rules, "motion": {"reduced": True}})
    page.run("document.getElementById('deck').focus()")
    for keys, expected, direction in [
        ([Keys.ARROW_DOWN], 1, None), ([Keys.ARROW_DOWN], 2, None), ([Keys.ARROW_UP], 1, None),
        ([Keys.SHIFT, Keys.ARROW_UP], 2, "up"), ([Keys.HOME], 3, "topLeft"), ([Keys.PAGE_DOWN], 4, "bottomRight"),
        ([Keys.ARROW_LEFT], 5, "left"), ([Keys.BACKSPACE], 4, "bottomRight"),
        ([Keys.SHIFT, Keys.BACKSPACE], 5, "left"),
    ]:
        page.press(*keys)
        page.until(f"return view.frame.currentIndex === {expected}")
        if direction:
            # The page shows the swipe before the server has the event.
            page.until_async("return (await session.verdicts()).at(-1)?.direction === cases", direction)


def test_who_only_looks_sees_all_of_it_scaled_and_changes_nothing(deckd, open_page):
    first = open_page(f"{deckd.url}/deckd.js")
    info = first.begin()
    session = deckd.ask("POST", "/v1/sessions", {"deck": {"count": 5}, "viewport": {"width": 600, "height": 800}})
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin(seat={"id": session["id"], "token": session["spectatorToken"]}, options={"isReadOnly": True})
    page.until("return document.querySelector('.deckd-stage').style.scale === '0.5'")
    width = page.until("return document.querySelector('.deckd-card[data-role=front] .deckd-face').getBoundingClientRect().width")
    assert abs(width - 300) < 1
    page.finger("mouse").drag(X, Y, 120, 0)
    page.press("\ue012")
    frame = deckd.ask("GET", f"/v1/sessions/{session['id']}/frame", token=session["token"])
    assert frame["version"] == 0 and info["id"] != session["id"]


def test_tap_is_a_tap_and_no_drag(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    page.begin()
    page.run("window.told = []; session.addEventListener('notification', ({ detail }) => told.push(detail.type))")
    finger = page.finger("mouse")
    finger.down(X, Y)
    finger.move(1, 1, steps=1)
    finger.up()
    page.until("return told.includes('didSelect')")
    assert "panBegan" not in page.run("return told")
    assert page.check_rest()["currentIndex"] == 0


def test_preference_that_changes_without_a_network_counts_later(link, open_page):
    page = open_page(f"{link.url}/deckd.js")
    page.begin()
    page.check_rest()
    # All attempts follow at once.
    page.run("Math.random = () => 0")
    link.cut()
    for preference in ("reduce", "no-preference", "reduce"):
        page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": preference}])
        page.display_frames(10)
    page.run_async("await new Promise((resolve) => setTimeout(resolve, 500))")
    link.mend()
    page.until("return session.info.motion.reduced")
    page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "no-preference"}])
    page.until("return session.info.motion.reduced === false")
