"""Compares docs/openapi.json with docs/openapi.yaml, or writes it: it is the same document, for programs that read no YAML.

usage: document.py [--write]
"""

import json
import pathlib
import sys

import yaml

FOLDER = pathlib.Path(__file__).parents[2] / "docs"
OTHER = FOLDER / "openapi.json"


def converted():
    document = yaml.safe_load((FOLDER / "openapi.yaml").read_text(encoding="utf-8"))
    # A line for each member, so that changes can be merged.
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def main(arguments):
    text = converted()
    if arguments == ["--write"]:
        OTHER.write_text(text, encoding="utf-8")
    elif arguments:
        raise SystemExit(__doc__)
    elif OTHER.read_text(encoding="utf-8") != text:
        raise SystemExit("docs/openapi.json is not docs/openapi.yaml: run Tests/Contract/document.py --write")
    print(f"docs/openapi.json is docs/openapi.yaml, {len(text)} characters")


if __name__ == "__main__":
    main(sys.argv[1:])
