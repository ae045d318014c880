"""Reads the files of Callgrind, and divides the instructions of a program among the modules of deckd.

What the Swift runtime and the C library do is attributed to the module that calls them, in separate columns.
"""

import collections
import re

# The steps of a request, in the order of the path, and the modules or libraries of each.
STEPS = {
    "libmicrohttpd": ["libmicrohttpd"],
    "transport (MicroHTTP)": ["MicroHTTP"],
    "routing, access, responses (DeckService)": ["DeckService", "DeckdHTTP"],
    "session and commit (DeckHost, DeckJournal)": ["DeckHost", "DeckJournal"],
    "JSON (DeckWire, simdjson)": ["DeckWire", "CSimdJSON", "libsimdjson"],
    "engine (DeckEngine)": ["DeckEngine"],
}
OTHER = "other"
# Columns: code of the module itself, and what it calls, by the name of the function.
OWN = "own code"
COLUMNS = {
    "reference counting": re.compile(
        r"swift_(bridgeObject|unknownObject|weak|unowned|native)?_?(re(tain|lease)|Retain|Release|is(Uniquely|Unique)|weak|load)"
        r"|swift_.*(retain|release|[Rr]etain|[Rr]elease|niquelyReferenced|weak|unowned)|RefCounts|RefCount"
    ),
    "heap": re.compile(
        r"^_*(libc_)?(malloc|calloc|realloc|free|cfree|memalign|posix_memalign|_int_\w+|tcache\w*|malloc_\w+|unlink_chunk)\b"
        r"|allocation_count|^note$|swift_(slow)?(Alloc|alloc|Dealloc|dealloc)|swift_initStack|swift_arrayDestroy"
        r"|^operator (new|delete)|^_Zn[wa]|^_Zd[la]"
    ),
    "copying and comparing": re.compile(r"mem(cpy|move|set|cmp|chr|pcpy)|str(len|cmp|chr|ncmp|casecmp)"),
}
RUNTIME = "other runtime"
ALL_COLUMNS = [OWN, *COLUMNS, RUNTIME]

# A mangled name begins with the module, or with a type of the standard library and the module that extends it.
SWIFT_MODULE = re.compile(r"^\$[sS](?:s\d+[A-Za-z]+V|S[A-Za-z])?(\d+)(\w+)")
STEP_OF = {module: step for step, modules in STEPS.items() for module in modules}
CALLER_ROUNDS = 30


class Counts:
    """The instructions of functions, and of the calls between them."""

    def __init__(self):
        self.own = collections.Counter()
        # By caller and called function, with everything that the called function calls.
        self.calls = collections.Counter()
        # How many locks each function has taken.
        self.locks = collections.Counter()

    @property
    def total(self):
        return sum(self.own.values())

    def read(self, lines):
        """Adds those of one file. A function is a pair of its library and its name."""
        names = {"ob": {}, "fn": {}}
        place = {"ob": "", "fn": "", "cob": "", "cfn": ""}
        is_call = False
        for line in lines:
            if match := re.match(r"(c?)(ob|fn)=\((\d+)\)(?: (.*))?$", line):
                called, kind, number, name = match.groups()
                if name is not None:
                    names[kind][number] = name.strip()
                place[called + kind] = names[kind].get(number, "")
                if kind == "ob" and not called:
                    place["cob"] = ""
            elif line.startswith("calls="):
                is_call = True
                if place["cfn"].startswith("pthread_mutex_lock"):
                    self.locks[place["ob"], place["fn"]] += int(line[len("calls="):].split()[0])
            elif line[:1] in "+-*0123456789" and line.strip():
                cost = int(line.split()[1])
                function = (place["ob"], place["fn"])
                if is_call:
                    self.calls[function, (place["cob"] or place["ob"], place["cfn"])] += cost
                    place["cob"] = ""
                else:
                    self.own[function] += cost
                is_call = False

    def locks_of(self, library):
        """How many locks the functions of a library or program have taken."""
        return sum(count for (found, _), count in self.locks.items() if found.endswith(f"/{library}"))


def step(function):
    """The step that a function belongs to; None: that of its callers."""
    library, name = function
    if match := SWIFT_MODULE.match(name):
        return STEP_OF.get(match[2][: int(match[1])])
    for module, found in STEP_OF.items():
        if module.startswith("lib") and f"/{module}." in library:
            return found
    return None


def column(function):
    """What kind of work a function does, if it belongs to its callers."""
    return next((name for name, pattern in COLUMNS.items() if pattern.search(function[1])), RUNTIME)


def by_step(counts):
    """The instructions of each step, by column."""
    callers = collections.defaultdict(list)
    for (caller, called), cost in counts.calls.items():
        if step(called) is None and caller != called:
            callers[called].append((caller, cost))
    shares = {function: {found: 1.0} for function in counts.own if (found := step(function))}
    shares |= {caller: {found: 1.0} for caller, _ in counts.calls if (found := step(caller))}
    for _ in range(CALLER_ROUNDS):
        for function, places in callers.items():
            shares[function] = mixed((shares.get(caller, {OTHER: 1.0}), cost) for caller, cost in places)
    table = {name: dict.fromkeys(ALL_COLUMNS, 0.0) for name in [*STEPS, OTHER]}
    for function, cost in counts.own.items():
        kind = OWN if step(function) else column(function)
        for name, share in shares.get(function, {OTHER: 1.0}).items():
            table[name][kind] += share * cost
    return table


def mixed(weighted):
    """The mean of distributions, by their weights."""
    mean = collections.Counter()
    for shares, weight in weighted:
        for name, share in shares.items():
            mean[name] += share * weight
    total = sum(mean.values())
    return {name: part / total for name, part in mean.items()} if total else {OTHER: 1.0}


def markdown(table, number):
    """The table for each of a number of requests, in instructions."""
    lines = ["| step | all | " + " | ".join(ALL_COLUMNS) + " |", "|---" * (len(ALL_COLUMNS) + 2) + "|"]
    rows = [*table.items(), ("all", {name: sum(row[name] for row in table.values()) for name in ALL_COLUMNS})]
    for name, row in rows:
        numbers = [sum(row.values()), *(row[kind] for kind in ALL_COLUMNS)]
        lines.append(f"| {name} | " + " | ".join(f"{part / number:,.0f}" for part in numbers) + " |")
    return "\n".join(lines)
