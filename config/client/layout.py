#!/usr/bin/env python3
"""Puts the functions of a WebAssembly module into the order in which its compressed form is small: gzip finds a repetition
only within 32 KiB. Reads a module with names and writes its text form; needs wasm-dis (Debian: binaryen).

The file `order` beside this script has a digest of each function's name, in the order that `improve-layout` has found. A
function that is not in it follows the one that has most in common with it.

usage: layout.py MODULE TEXT FEATURE...
"""

import hashlib
import pathlib
import re
import subprocess
import sys

ORDER = pathlib.Path(__file__).resolve().parent / "order"


def split(text):
    """The lines before the functions, the lines of each function, and the lines after them."""
    head, functions, tail = [], [], []
    lines = iter(text.split("\n"))
    for line in lines:
        if line.startswith(" (func "):
            functions.append([line])
            while functions[-1][-1] != " )":
                functions[-1].append(next(lines))
        else:
            (tail if functions else head).append(line)
    return head, functions, tail


def digest(function):
    """What stands for a function in the stored order."""
    return hashlib.sha256(function[0].split()[1].encode()).hexdigest()[:8]


def features(function):
    """What is compared: the calls, and each three instructions in a row without the numbers of variables."""
    body = [line.strip() for line in function[1:]]
    calls = {line for line in body if "call" in line}
    shapes = [line if "call" in line else re.sub(r"\$\d+", "$", line) for line in body]
    return calls | set(zip(shapes, shapes[1:], shapes[2:]))


def ordered(functions, stored):
    """The functions in the stored order, and each other one behind the one that has most in common with it."""
    places = {digest: place for place, digest in enumerate(stored)}
    known = sorted((each for each in functions if digest(each) in places), key=lambda each: places[digest(each)])
    order = [(function, features(function)) for function in known]
    for function in functions:
        if digest(function) in places:
            continue
        wanted = features(function)
        likeness = [len(wanted & other) / (len(wanted) + len(other) + 1) for _, other in order]
        place = likeness.index(max(likeness)) + 1 if likeness else 0
        order.insert(place, (function, wanted))
    return [function for function, _ in order]


def main(module, result, *feature_flags):
    command = ["wasm-dis", *feature_flags, module, "-o", "-"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    head, functions, tail = split(text)
    stored = ORDER.read_text().split() if ORDER.exists() else []
    with open(result, "w") as file:
        file.write("\n".join([*head, *(line for function in ordered(functions, stored) for line in function), *tail]))


if __name__ == "__main__":
    main(*sys.argv[1:])
