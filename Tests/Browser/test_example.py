"""The pages in docs/browser.md work as they stand there."""

import functools
import http.server
import os
import subprocess
import threading

import pytest
from pages import example
from server import Deckd

# The text of the card in front, with <swipe-deck> and without.
FRONT = "return document.querySelector('.deckd-card[data-role=front] .deckd-content')?.textContent"
ELEMENT_FRONT = """
const root = document.querySelector("swipe-deck")?.shadowRoot;
const slot = root?.querySelector("[part~=card][part~=front] [part~=content] slot");
return slot?.assignedElements({ flatten: true })[0]?.textContent.trim();
"""


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture
def open_saved(tmp_path, open_page):
    """Opens a page as the document says: from a folder that another server shows, whose origin deckd knows."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "data").mkdir()
    files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=tmp_path / "pages"))
    threading.Thread(target=files.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{files.server_port}"
    deckd = Deckd(tmp_path / "data", DECKD_ACCESS_ALLOWED_ORIGINS=url)

    def make(text):
        address = "http://127.0.0.1:8080"
        assert text.count(address) == 1
        (tmp_path / "pages/places.html").write_text(text.replace(address, deckd.url), encoding="utf-8")
        return open_page(f"{url}/places.html")

    yield make
    deckd.stop()
    files.shutdown()
    files.server_close()


def until_front(page, text, script=ELEMENT_FRONT):
    page.until(f"return (() => {{ {script} }})() === arguments[0]", text)


def check_framework(page):
    """A page that lists what was liked and saved: its own buttons in cards work, and its cards can be swiped."""
    page.until(f"return (() => {{ {ELEMENT_FRONT} }})()?.includes('Lviv')")
    page.run("for (const button of document.querySelectorAll('[slot=card-lviv] button')) button.click()")
    page.until("return document.body.textContent.includes('Saved: lviv.')")
    assert page.run("return document.querySelectorAll('swipe-deck > article').length") == 3
    x, y, width = page.run("const b = document.querySelector('swipe-deck').getBoundingClientRect(); return [b.x, b.y, b.width]")
    page.finger("mouse").drag(round(x + width / 2), round(y + 200), 130, 0, hold=100)
    page.until("return document.body.textContent.includes('Liked: lviv.')")
    page.until(f"return (() => {{ {ELEMENT_FRONT} }})()?.includes('Porto')")


def test_page_in_the_docs_works(open_saved):
    text = example("browser.md", "A deck in a browser")
    assert len(text.split("<script")[1].splitlines()) <= 24
    page = open_saved(text)
    until_front(page, "Lviv", FRONT)
    x, y, width = page.run("const b = document.querySelector('div').getBoundingClientRect(); return [b.x, b.y, b.width]")
    page.finger("mouse").drag(round(x + width / 2), round(y + 100), 130, 0, hold=100)
    until_front(page, "Porto", FRONT)
    said = page.until("return document.querySelector('.deckd-live').textContent")
    assert said.startswith("Lviv: right.")


def test_page_with_the_element_needs_no_script(open_saved):
    page = open_saved(example("browser.md", "`<swipe-deck>`"))
    until_front(page, "Lviv")
    assert "rgb" in page.run("return getComputedStyle(document.querySelector('swipe-deck > article')).backgroundColor")
    disabled = "return Object.fromEntries([...document.querySelectorAll('[data-action]')].map(({ dataset, disabled }) => [dataset.action, disabled]))"
    assert page.run(disabled) == {"revert": True, "left": False, "right": False}
    page.run("document.querySelector('[data-action=right]').click()")
    until_front(page, "Porto")
    assert page.run(disabled) == {"revert": False, "left": False, "right": False}
    page.run("document.querySelector('[data-action=revert]').click()")
    until_front(page, "Lviv")
    count = page.run("return document.querySelector('swipe-deck').view.frame.cardCount")
    for _ in range(count):
        page.run("document.querySelector('[data-action=left]').click()")
    page.until("return document.querySelector('[slot=empty]').checkVisibility()")
    assert page.run(disabled) == {"revert": False, "left": True, "right": True}
    page.until("return document.querySelectorAll('swipe-deck > article').length === 0")


def test_page_with_the_element_shows_no_note_before_its_script_is_loaded(serve, open_page):
    text = example("browser.md", "`<swipe-deck>`").replace("<script", '<template id="later"').replace("</script", "</template")
    assert "last place" in text
    page = open_page(f"{serve({'/page': text})}/page")
    assert page.run("return document.body.innerText.trim()") == ""
    page.run("document.querySelector('[slot=empty]').slot = 'loading'")
    assert page.run("return document.body.innerText.trim()") == "That was the last place."


def test_page_with_react_works(serve, open_page, tmp_path):
    source = tmp_path / "page.jsx"
    source.write_text(example("browser.md", "React", "jsx"), encoding="utf-8")
    script = subprocess.run(
        ["esbuild", "--bundle", "--format=esm", "--jsx=automatic", "--external:/swipe-deck.js", "--define:process.env.NODE_ENV=\"production\"", str(source)],
        env=os.environ | {"NODE_PATH": "/usr/share/nodejs"}, capture_output=True, text=True, check=True,
    ).stdout
    page = '<!doctype html><title>Places</title><div id="app"></div><script type="module" src="/page.js"></script>'
    check_framework(open_page(f"{serve({'/page': page, '/page.js': script})}/page"))


def test_page_with_vue_works(serve, open_page):
    with open("/usr/share/javascript/vue/vue.esm.browser.js", encoding="utf-8") as file:
        vue = file.read()
    check_framework(open_page(f"{serve({'/page': example('browser.md', 'Vue'), '/vue.esm.browser.js': vue})}/page"))


def test_page_without_the_module_works(open_saved):
    text = example("browser.md", "Without the module")
    place = example("api.md", "Frames", "js")
    lines = [line.strip() for line in place.splitlines() if not line.startswith("/**")]
    assert "\n".join(lines) in "\n".join(line.strip() for line in text.splitlines()), "it uses the function of api.md"
    page = open_saved(text)
    page.until("return document.querySelectorAll('#deck article').length === 3")
    top = "const [...all] = document.querySelectorAll('#deck > div'); return all.sort((one, other) => other.style.zIndex - one.style.zIndex)[0]?.textContent"
    until_front(page, "Lviv", top)
    page.run("document.getElementById('like').click()")
    until_front(page, "Porto", top)
    page.until("return document.querySelectorAll('#deck article').length === 3")
    page.run("document.getElementById('skip').click()")
    page.until(f"return !['Lviv', 'Porto'].includes((() => {{ {top} }})())")
