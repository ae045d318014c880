"""Makes a client with each generator as docs/api.md says, and plays the story of a deck with each on a server.

usage: clients.py URL

The commands and the examples are those of the section "Generated clients". The generated names must be names that a person
would choose, and a generator may warn of nothing but of what is listed here. Prints one line.
"""

import ast
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import yaml

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
STORIES = HERE / "stories"
GENERATORS = ("openapi-python-client", "openapi-generator for Python", "openapi-generator for TypeScript", "datamodel-codegen")
PROCESSORS = 2
# The address of the server in the document.
ADDRESS = "http://127.0.0.1:8080"
TSC = "tsc --strict --target es2022 --module commonjs --moduleResolution node --lib es2022,dom --outDir built".split()

# What a generator makes of a schema that has no name, or of two that have the same one.
BAD_NAME = re.compile(
    r"(?i:inline|anyof|oneof|allof|unnamed|\d$|\d+_?response|^value_|_(minus|plus)_|[a-z](inner|not)$)|^Model[A-Z]"
)
COMPLAINT = re.compile(r"\b(warning|warn|error|exception|unable|skipping|failed)\b", re.IGNORECASE)
# What openapi-generator complains of, and no document can change.
KNOWN_COMPLAINTS = [
    # It says so of every OpenAPI 3.1 document.
    r"OpenAPI 3\.1 support is still in beta",
    # A null in `anyOf` has no name. The member is optional in the client, as it should be.
    r"Failed to get the schema name: null",
    # The data of a card is any JSON.
    r"Codegen property is null \(e\.g\. map/dict of undefined type\)",
    # It considers the names of query parameters for models, which they do not become.
    r"(From|Index|File) \(.*\) cannot be used as (a )?model name",
]


class Section:
    """The part of docs/api.md about one generator."""

    def __init__(self, text, name):
        self.name = name
        part = re.search(rf"^### {re.escape(name)}\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL)
        if part is None:
            raise SystemExit(f"docs/api.md says nothing of {name}")
        self.commands = blocks(part[1], "bash")
        self.python = blocks(part[1], "python")
        self.typescript = blocks(part[1], "typescript")


def blocks(text, language):
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL))


def run(command, folder, url):
    """What a command prints. It must succeed."""
    paths = [str(pathlib.Path(sys.executable).parent), os.environ["PATH"]]
    environment = os.environ | {"DECKD": url, "PATH": os.pathsep.join(paths), "PYTHONPATH": ".", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120
    )
    if done.returncode != 0:
        raise SystemExit(f"{folder.name}: {command}\n{done.stdout[-4000:]}")
    return done.stdout


def generate(section, folder, url):
    """Runs the commands of the document, and returns what they complain of."""
    folder.mkdir()
    output = run(["bash", "-euo", "pipefail", "-c", section.commands], folder, url)
    lines = [line for line in output.splitlines() if COMPLAINT.search(line)]
    return [f"{section.name}: {line}" for line in lines if not any(re.search(known, line) for known in KNOWN_COMPLAINTS)]


def python_names(folder):
    """The classes, the values of enumerations, and the operations with their parameters."""
    for path in folder.rglob("*.py"):
        if path.name in ("use.py", "story.py") or "test" in path.parts:
            continue
        yield path.stem
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                yield node.name
                if any("Enum" in ast.unparse(base) for base in node.bases):
                    yield from (part.targets[0].id for part in node.body if isinstance(part, ast.Assign))
            elif isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("TypeAliasType("):
                yield node.targets[0].id
            elif isinstance(node, ast.FunctionDef) and "api" in path.parent.parts[-2:]:
                yield from [node.name, *(argument.arg for argument in node.args.args)]


def typescript_names(folder):
    """The types, the values of enumerations, and the members of the requests."""
    for path in [*folder.rglob("models/*.ts"), *folder.rglob("apis/*.ts")]:
        text = path.read_text(encoding="utf-8")
        yield path.stem
        yield from re.findall(r"^export (?:interface|type|class|const|enum) (\w+)", text, re.MULTILINE)
        yield from re.findall(r"^    (?:async )?(\w+)\??[:(]", text, re.MULTILINE)


def bad_names(section, folder):
    names = set(python_names(folder)) | set(typescript_names(folder))
    if len(names) < 100:
        return [f"{section.name}: only {len(names)} names were found"]
    bad = sorted(filter(BAD_NAME.search, names))
    return [f"{section.name}: a person would not choose the name {name}" for name in bad]


def value_names():
    """What is wrong with the names that the document gives to values."""
    document = yaml.safe_load((ROOT / "docs/openapi.yaml").read_text(encoding="utf-8"))
    for name, schema in document["components"]["schemas"].items():
        values = schema.get("enum", [])
        words = [re.split(r"[-+]", value.removeprefix("/problems/")) for value in values]
        expected = ["".join(word[:1].upper() + word[1:] for word in parts) for parts in words]
        if any(not value.isidentifier() for value in values) and schema.get("x-enum-varnames") != expected:
            yield f"{name}: x-enum-varnames is not {expected}"


def play(section, folder, url):
    """Runs the example of the document, and then the story."""
    if section.python:
        (folder / "use.py").write_text(section.python.replace(ADDRESS, url), encoding="utf-8")
        story = STORIES / f"{section.name.split(' ')[0].replace('-', '_')}.py"
        (folder / "story.py").write_text(story.read_text(encoding="utf-8"), encoding="utf-8")
        commands = [[sys.executable, "use.py"], [sys.executable, "story.py", url]]
    else:
        (folder / "use.ts").write_text(section.typescript.replace(ADDRESS, url), encoding="utf-8")
        (folder / "story.ts").write_text((STORIES / "typescript_fetch.ts").read_text(encoding="utf-8"), encoding="utf-8")
        run([*TSC, "use.ts", "story.ts"], folder, url)
        commands = [["node", "built/use.js"], ["node", "built/story.js", url]]
    for command in commands:
        run(command, folder, url)


def main(url):
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    sections = [Section(text, name) for name in GENERATORS]
    failures = list(value_names())
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(PROCESSORS) as pool:
        folders = [pathlib.Path(work) / re.sub(r"\W", "-", name) for name in GENERATORS]

        def follow(section, folder):
            complaints = generate(section, folder, url) + bad_names(section, folder)
            if not complaints:
                play(section, folder, url)
            return complaints

        for complaints in pool.map(follow, sections, folders):
            failures += complaints
    if failures:
        raise SystemExit("\n".join(failures))
    print(f"{len(GENERATORS)} generators make clients with good names, and each client plays the story of a deck")


if __name__ == "__main__":
    main(sys.argv[1])
