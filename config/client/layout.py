#!/usr/bin/env python3
"""Puts similar functions of a WebAssembly module next to each other, which makes its compressed form smaller: gzip finds
a repetition only within 32 KiB. Reads a module and writes its text form; needs wasm-dis (Debian: binaryen).

usage: layout.py MODULE TEXT FEATURE...
"""

import re
import subprocess
import sys


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


def features(function):
    """What is compared: the calls, and each three instructions in a row without the numbers of variables."""
    body = [line.strip() for line in function[1:]]
    calls = {line for line in body if "call" in line}
    shapes = [line if "call" in line else re.sub(r"\$\d+", "$", line) for line in body]
    return calls | set(zip(shapes, shapes[1:], shapes[2:]))


def ordered(functions):
    """Each function is followed by the one, of those that are left, that has most in common with it."""
    features_of = [features(function) for function in functions]
    current, order, rest = 0, [0], set(range(1, len(functions)))

    def likeness(other):
        one, two = features_of[current], features_of[other]
        return len(one & two) / (len(one) + len(two) + 1), -other

    while rest:
        current = max(rest, key=likeness)
        order.append(current)
        rest.remove(current)
    return [functions[place] for place in order]


def main(module, result, *feature_flags):
    command = ["wasm-dis", *feature_flags, module, "-o", "-"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    head, functions, tail = split(text)
    with open(result, "w") as file:
        file.write("\n".join([*head, *(line for function in ordered(functions) for line in function), *tail]))


main(*sys.argv[1:])
