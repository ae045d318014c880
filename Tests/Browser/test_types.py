"""The types of the client module agree with the module, with the documents and with their uses."""

import re
import shutil

import yaml

from typescript import ELEMENT_TYPES, REPOSITORY, TYPES, complaints

TEXT = TYPES.read_text(encoding="utf-8")
SCHEMAS = yaml.safe_load((REPOSITORY / "docs/openapi.yaml").read_text(encoding="utf-8"))["components"]["schemas"]


def declaration(name):
    """The text of an exported type."""
    return re.search(rf"^export (?:interface|type) {name}\b.*?(?=^(?:export|interface|type|//|/\*\*))", TEXT, re.M | re.S)[0]


def strings(text):
    return set(re.findall(r'"([^"]+)"', text))


def alternatives(name):
    """The schemas of which one applies."""
    return [reference["$ref"].rsplit("/")[-1] for reference in SCHEMAS[name]["oneOf"]]


def members(schema):
    """The names of a schema's members; those that are required."""
    return set(schema["properties"]), set(schema.get("required", []))


def test_types_declare_what_the_module_exports(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    exported = page.run_async("return Object.keys(await import('/deckd.js')).sort()")
    assert sorted(re.findall(r"^export (?:class|function) (\w+)", TEXT, re.M)) == exported
    classes = page.run_async("""
        const { DeckClient, DeckSession, DeckView } = await import('/deckd.js');
        const classes = Object.entries({ DeckClient, DeckSession, DeckView });
        return classes.map(([name, { prototype }]) => [name, Object.getOwnPropertyNames(prototype)]);
    """)
    for name, names in classes:
        body = re.search(rf"^export class {name}\b.*?\n}}", TEXT, re.M | re.S)[0]
        for member in names:
            assert re.search(rf"\b{member}\b", body), f"{name}.{member}"


def test_words_are_those_of_the_document():
    for name in ("Direction", "Curve", "Face", "Preset", "Refusal", "ResetReason"):
        assert strings(declaration(name)) == set(SCHEMAS[name]["enum"]), name


def test_events_are_those_of_the_document():
    assert set(re.findall(r"\b\w+Event\b", declaration("DeckEvent"))) - {"DeckEvent"} == set(alternatives("Event"))
    inherited = {"Timed": {"at"}, "OnCard": {"at", "id"}}
    for name in alternatives("Event"):
        text = declaration(name)
        assert SCHEMAS[name]["properties"]["type"]["const"] in strings(text), name
        declared = set(re.findall(r"\b(\w+)\??:", text)) | inherited[re.search("Timed|OnCard", text)[0]]
        if "Pan<" in text:
            declared.add("phase")
        assert declared == members(SCHEMAS[name])[0], name


def test_notifications_are_those_of_the_document():
    names = alternatives("Notification")
    assert set(re.findall(r"\b\w+Notification\b", declaration("Notification"))) == set(names)
    for name in names:
        kind = SCHEMAS[name]["properties"]["type"]
        if "$ref" in kind:
            kind = SCHEMAS[kind["$ref"].rsplit("/")[-1]]
        text = declaration(name)
        assert strings(text) == set(kind.get("enum", [kind.get("const")])), name
        inherited = ({"seq", "at"} if "Numbered" in text else set()) | ({"index", "id"} if "OfCard" in text else set())
        declared = set(re.findall(r"\b(\w+):", text)) | inherited
        assert declared == members(SCHEMAS[name])[1], name


def test_settings_and_frames_are_those_of_the_document():
    schemas = {
        "Rules": "Rules", "Motion": "Motion", "Appearance": "Appearance", "OverlayRange": "OverlayRange", "Card": "Card",
        "StackLayout": "StackLayout", "StretchedLayout": "StretchedLayout", "FlipLayout": "FlipLayout",
        "SessionRequest": "SessionRequest", "SessionPatch": "SessionPatch", "Verdict": "Verdict", "Pending": "Pending",
        "FrameCard": "FrameCardView", "Frame": "FrameView", "Accessibility": "Accessibility",
    }
    for name, schema in schemas.items():
        text = re.sub(r"\{ label: string; key: string.*?\}", "", declaration(name))
        assert set(re.findall(r"\b(\w+)\??:", text)) == members(SCHEMAS[schema])[0], name


def test_types_of_the_element_declare_what_it_has(deckd, open_page):
    page = open_page(f"{deckd.url}/deckd.js")
    names, heard = page.run_async("""
        const { SwipeDeckElement } = await import('/swipe-deck.js');
        return [Object.getOwnPropertyNames(SwipeDeckElement.prototype), SwipeDeckElement.observedAttributes];
    """)
    text = ELEMENT_TYPES.read_text(encoding="utf-8")
    body = re.search(r"^export class SwipeDeckElement\b.*?\n}", text, re.M | re.S)[0]
    for name in names:
        assert name.endswith("Callback") or name == "constructor" or re.search(rf"\b{name}\b", body), name
    assert {name.replace("readonly", "readOnly") for name in heard} <= set(re.findall(r"^  (\w+):", body, re.M))


def test_types_satisfy_the_compiler(tmp_path):
    shutil.copy(REPOSITORY / "Tests/Browser/use.ts", tmp_path)
    assert complaints(tmp_path, "use.ts") == ""


# A program without a page.
PROGRAM = """
import { DeckClient, DeckEngine } from "./deckd.js";

const session = await new DeckClient({ baseURL: "http://127.0.0.1:8080" }).sessions.open({ id: "1" });
session.addEventListener("frame", ({ detail }) => console.log(detail.currentIndex), { once: true });
export const engine: DeckEngine = await DeckEngine.load(new Uint8Array());
"""


def test_types_need_no_dom(tmp_path):
    (tmp_path / "program.ts").write_text(PROGRAM, encoding="utf-8")
    # Workers have the same types as Node, without elements.
    assert complaints(tmp_path, "program.ts", libraries="es2022,webworker") == ""


def test_examples_of_the_module_are_strict_typescript(tmp_path):
    """All scripts of the documents that import the module, with the variables that they take from their surroundings."""
    scripts = []
    served = re.compile(r'(?<=from )"(?:http://127\.0\.0\.1:8080)?/deckd\.js"')
    for document in ("README.md", *sorted((REPOSITORY / "docs").glob("*.md"))):
        text = (REPOSITORY / document).read_text(encoding="utf-8")
        blocks = re.findall(r'<script type="module">\n(.*?)</script>|```(?:js|ts)\n(.*?)```', text, re.S)
        scripts += [block for pair in blocks for block in pair if served.search(block)]
    assert len(scripts) >= 2
    names = [f"example-{number}.ts" for number in range(len(scripts))]
    for name, script in zip(names, scripts):
        surroundings = "" if re.search(r"const \{?.*\bid\b.*=", script) else "declare const id: string;\n"
        (tmp_path / name).write_text(surroundings + served.sub('"./deckd.js"', script), encoding="utf-8")
    assert complaints(tmp_path, *names) == ""
