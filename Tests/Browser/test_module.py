"""The client module: its formulas and its size."""

import gzip
import json
import pathlib
import urllib.request

REPOSITORY = pathlib.Path(__file__).parents[2]
VECTORS = REPOSITORY / "Tests/DeckEngineTests/Vectors"


# The client's formulas on every case; Koloda's own tracking is what the vectors were recorded with.
FORMULAS = """
    const deckd = await import("/deckd.js");
    return cases.map((example) => {
      const vector = ([x, y]) => ({ x, y });
      const [width, height] = example.card;
      const size = { width, height };
      const motion = {
        tracking: "koloda", rotationMax: example.rotationMax ?? 1, rotationAngle: example.rotationAngle ?? Math.PI / 10,
        scaleMin: example.scaleMin ?? 0.8,
      };
      const rules = {
        swipeThreshold: example.threshold ?? 1, velocityThreshold: null,
        deniedDirections: example.shouldSwipe ? [] : example.allowed,
      };
      const transform = deckd.dragTransform(vector(example.translation), vector(example.touch), size, motion);
      const extent = deckd.dragExtent(size, transform, motion);
      const reading = deckd.dragReading(vector(example.translation), size, example.allowed, extent);
      const [sine, cosine] = [Math.sin(transform.rotation), Math.cos(transform.rotation)].map((x) => x * transform.scale);
      const { x, y } = transform.translation;
      return {
        ...reading, matrix: [cosine, sine, -sine, cosine, x, y],
        overlay: deckd.overlay(reading, rules, { start: 0, end: 1, curve: "linear" }),
        way: deckd.release(reading, { x: 0, y: 0 }, rules),
      };
    });
"""


def test_formulas_give_what_koloda_gives(deckd, open_page):
    cases = json.loads((VECTORS / "koloda-drag.json").read_text(encoding="utf-8"))["cases"]
    assert len(cases) == 700
    page = open_page(f"{deckd.url}/deckd.js")
    answers = page.run_async(FORMULAS, cases)
    for example, answer in zip(cases, answers):
        expected = example["expect"]
        assert answer["direction"] == expected["direction"], example["id"]
        assert abs(answer["percentage"] - expected["percentage"]) < 1e-4, example["id"]
        # Koloda keeps transforms in 32-bit floats.
        wide = max(1e-4, max(map(abs, expected["matrix"][4:])) * 1.2e-7)
        for place, (number, recorded) in enumerate(zip(answer["matrix"], expected["matrix"])):
            assert abs(number - recorded) < (1e-6 if place < 4 else wide), example["id"]
        assert answer["way"] == (expected["direction"] if expected["decision"] == "swipe" else None), example["id"]
        if (expected.get("overlay") or {}).get("direction"):
            assert answer["overlay"]["direction"] == expected["overlay"]["direction"], example["id"]
            assert abs(answer["overlay"]["progress"] - expected["overlay"]["progress"]) < 1e-4, example["id"]


def test_overlay_comes_in_on_its_curve(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    alphas = page.run_async("""
        const deckd = await import("/deckd.js");
        const reading = { direction: "right", percentage: 0.25 };
        return ["linear", "ease", "easeIn", "easeOut", "easeInOut"].map((curve) =>
          deckd.overlay(reading, { swipeThreshold: 1 }, { start: 0, end: 0.5, curve }).alpha);
    """)
    # Half way in time, as CSS has it.
    assert [round(alpha, 2) for alpha in alphas] == [0.5, 0.8, 0.32, 0.68, 0.5]


def test_card_that_is_pulled_back_stays(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    released = page.run_async("""
        const { release } = await import("/deckd.js");
        const rules = { swipeThreshold: 0.5, velocityThreshold: 1000, deniedDirections: [] };
        const speeds = [{ x: -1000, y: 0 }, { x: -999, y: 0 }, { x: 0, y: -1000 }, { x: 1000, y: 0 }];
        return [true, false].map((pullBackCancels) => speeds.map((speed) =>
          release({ direction: "right", percentage: 0.8 }, speed, { ...rules, pullBackCancels })));
    """)
    assert released == [[None, "right", "right", "right"], ["right"] * 4]


def test_card_follows_where_the_rules_let_it(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    ways = page.run_async("""
        const { dragWay } = await import("/deckd.js");
        const rules = [
          { dragAxis: "free", dragDirections: null }, { dragAxis: "horizontal", dragDirections: null },
          { dragAxis: "vertical", dragDirections: null }, { dragAxis: "dominant", dragDirections: null },
          { dragAxis: "free", dragDirections: ["left"] }, { dragAxis: "free", dragDirections: ["topRight"] },
          { dragAxis: "dominant", dragDirections: ["right", "down"] }, { dragAxis: "free", dragDirections: [] },
        ];
        return rules.map((one) => [[3, -4], [-5, 5]].map(([x, y]) => dragWay({ x, y }, one)).flatMap(({ x, y }) => [x, y]));
    """)
    assert ways == [
        [3, -4, -5, 5], [3, 0, -5, 0], [0, -4, 0, 5], [0, -4, -5, 0],
        [0, 0, -5, 0], [3, -4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0],
    ]


def test_module_is_small(deckd, measured):
    with urllib.request.urlopen(f"{deckd.url}/deckd.js") as answer:
        size = len(gzip.compress(answer.read(), 9, mtime=0))
    measured(f"deckd.js is {size} bytes, gzipped")
    assert size < 10_000
