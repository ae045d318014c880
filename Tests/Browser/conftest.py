"""The servers and pages that the tests have."""

import os
import pathlib

import pytest
from selenium import webdriver

from elements import LOG, html
from page import Page
from pages import Pages
from server import Deckd, Link

SCREENSHOTS = pathlib.Path(os.environ["DECKD_SCREENSHOTS"])


def pytest_addoption(parser):
    parser.addoption("--renew-screenshots", action="store_true", help="replace the stored screenshots by new ones")


@pytest.fixture(scope="session")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--window-size=1280,860", "--hide-scrollbars", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    fonts = os.environ | {"FONTCONFIG_FILE": f"{pathlib.Path(__file__).parent}/fonts.conf"}
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver", env=fonts))
    driver.set_script_timeout(60)
    yield driver
    driver.quit()


@pytest.fixture(autouse=True)
def console(request):
    """Fails a test in which a page reports an error of a script or a violation of its policy.

    What the network reports is part of the tests of servers that are gone.
    """
    yield
    if "browser" not in request.fixturenames:
        return
    entries = request.getfixturevalue("browser").get_log("browser")
    errors = [entry["message"] for entry in entries if entry["level"] == "SEVERE" and entry["source"] != "network"]
    assert not errors, errors


@pytest.fixture(scope="session")
def deckd(tmp_path_factory):
    server = Deckd(tmp_path_factory.mktemp("deckd"))
    yield server
    server.stop()


@pytest.fixture
def own_deckd(tmp_path):
    """A server that the test may stop."""
    server = Deckd(tmp_path)
    yield server
    server.stop()


@pytest.fixture
def link(deckd):
    link = Link(deckd.port)
    yield link
    link.close()


@pytest.fixture
def serve(deckd):
    """Serves pages under one origin with deckd."""
    opened = []

    def make(files, **options):
        opened.append(Pages(options.pop("deckd", deckd), files, **options))
        return opened[-1].url

    yield make
    for pages in opened:
        pages.close()


@pytest.fixture
def proxy(deckd):
    """A proxy in front of deckd whose answers can be its own."""
    pages = Pages(deckd, {})
    yield pages
    pages.close()


@pytest.fixture
def open_page(browser):
    """Opens tabs with nothing in their storage, and closes them."""
    first = browser.current_window_handle
    opened = []

    def make(url, **options):
        browser.switch_to.new_window("tab")
        opened.append(browser.current_window_handle)
        return Page(browser, url, **options)

    yield make
    for handle in opened:
        browser.switch_to.window(handle)
        browser.close()
    browser.switch_to.window(first)


@pytest.fixture
def show(serve, open_page):
    """Opens a page with the element <swipe-deck>, and waits until it shows cards."""

    def make(inside="", ready=True, policy=None, **attributes):
        page = open_page(f"{serve({'/page': html(inside, **attributes), '/log.js': LOG}, policy=policy)}/page")
        if ready:
            page.until("return deck.view?.frame && deck.cards.length")
        return page

    return make


@pytest.fixture
def screenshots():
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS


@pytest.fixture
def measured():
    """Prints what a test has measured; Tests/Browser/run shows these lines."""
    return lambda text: print(f"measured: {text}")
