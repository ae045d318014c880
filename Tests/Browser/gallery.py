"""Compares what a page looks like with stored images, in the folder `screenshots`.

`Tests/Browser/run --renew-screenshots -k screenshots` replaces the stored images by new ones. Look at each before it is committed.
"""

import base64
import io
import pathlib
import time

from PIL import Image, ImageChops

STORED = pathlib.Path(__file__).parent / "screenshots"
SCHEMES = ("light", "dark")
SIZES = {
    "desktop": {"width": 1200, "height": 720, "deviceScaleFactor": 1, "mobile": False},
    "phone": {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True},
}

# Two pixels differ if one of their channels does by more than this, of 255. Repetitions on one machine differed by up to 7, of
# which 4 are because stored images are rounded, and in no pixel by more.
CHANNEL_TOLERANCE = 16
# Two images differ if more pixels do than this.
PIXEL_TOLERANCE = 30
# What was done a moment ago may still have to be drawn.
PATIENCE_SECONDS = 8

# Nothing moves by itself, and the caret of a field does not blink.
STILL = """
const sheet = new CSSStyleSheet();
sheet.replaceSync("*, ::before, ::after { transition: none !important; animation: none !important; caret-color: transparent !important }");
document.adoptedStyleSheets = [sheet];
"""

# Replaces what is different in each run: ids, the port, times of the machine's clock, and numbers that count messages.
MASK = r"""
const masks = [
  [/(?<![\w-])[\w-]{22}(?![\w-])/g, (id) => (/\d|[A-Z].*[a-z]/.test(id) ? "0123456789abcdefghijkl" : id)],
  [/127\.0\.0\.1:\d+/g, "127.0.0.1:8080"], [/used \d+ \w+ ago/g, "used 5 min ago"],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "2026-01-02 03:04:05"],
  [/("(?:at|settlesAt|version|lastNotification)": )[\d.]+/g, "$10"], [/^version \d+$/, "version 1"],
];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = masks.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), walker.currentNode.data);
  if (text !== walker.currentNode.data) walker.currentNode.data = text;
}
"""


def rounded(value):
    """The stored value of a channel: a multiple of 8, so that files are small."""
    return min(255, (value + 4) // 8 * 8)


def difference(one, other):
    """How many pixels of two images of the same size differ, the largest difference of a channel, and where they differ."""
    assert one.size == other.size, f"the sizes differ: {one.size}, {other.size}"
    red, green, blue = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    places = most.point(lambda value: 255 if value > CHANNEL_TOLERANCE else 0)
    return places.histogram()[255], most.getextrema()[1], places


def is_different(one, other):
    """Whether two images differ by more than the tolerance."""
    return difference(one, other)[0] > PIXEL_TOLERANCE


def picture(page):
    """A picture of a page, without the parts that differ from run to run."""
    page.run(MASK)
    data = page.cdp("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"]
    return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")


def settled(page):
    """The same when nothing changes any more."""
    former = picture(page)
    while is_different(former, image := picture(page)):
        former = image
    return image


def schemes(page):
    """Shows a page in one colour scheme after the other."""
    page.run(STILL)
    for scheme in SCHEMES:
        page.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        page.display_frames(2)
        yield scheme


class Gallery:
    """The images of a test. Its differences are reported together at its end."""

    def __init__(self, folder, renews):
        self.folder = folder
        self.renews = renews
        self.problems = []
        self.largest = (0, 0)

    def take(self, page, state):
        """Compares what a page looks like in both colour schemes with the images of a state."""
        for scheme in schemes(page):
            path = STORED / f"{state}-{scheme}.webp"
            if self.renews:
                settled(page).point(rounded).save(path, lossless=True, quality=50, method=4)
            elif path.exists():
                self.compare(page, path)
            else:
                actual = self.folder / f"{path.stem}-actual.png"
                picture(page).save(actual)
                self.problems.append(f"there is no {path.name}; the page looks like {actual}")

    def compare(self, page, path):
        """Waits for a while until the page looks like an image."""
        kept = Image.open(path).convert("RGB")
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            image = picture(page)
            count, most, places = difference(kept, image)
            if count <= PIXEL_TOLERANCE:
                self.largest = max(self.largest, (count, most))
                return
            if time.monotonic() > end:
                break
        actual, marked = (self.folder / f"{path.stem}-{kind}.png" for kind in ("actual", "difference"))
        image.save(actual)
        Image.composite(Image.new("RGB", kept.size, "red"), kept.convert("L").convert("RGB"), places).save(marked)
        self.problems.append(f"{path.stem}: {count} pixels differ by up to {most}: {actual}, {marked}")

    def check(self):
        advice = "If the pages should look like this, renew the images with Tests/Browser/run --renew-screenshots -k screenshots."
        assert not self.problems, "\n".join([*self.problems, advice])
