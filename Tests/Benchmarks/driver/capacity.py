"""The load that one core and one GiB can carry, computed from the rows of a run."""

import math
import re

GIB = 2**30
# A person who swipes by hand.
MOVES, SECONDS = 20, 5
SWIPES_EACH_SECOND = 10_000


def rounded(number):
    """Rounded down to two digits, as a load that a machine can carry."""
    unit = 10 ** (math.floor(math.log10(number)) - 1)
    return f"{math.floor(number / unit) * unit:,}"


class Numbers:
    """The numbers of the rows, by their names."""

    def __init__(self, rows):
        self.rows = {}
        for row in rows:
            # Rows with the same name have the same load, compared with several others.
            self.rows.setdefault(row.name, row)

    def median(self, name):
        return self.rows[name].median

    def absolute(self, name, unit):
        """The number of "what" with a unit in the row's detail."""
        found = re.search(rf"([\d.,]+)(?: to [\d.,]+)? {unit}", self.rows[name].detail)
        return float(found[1].replace(",", ""))


def text(rows):
    """The table, and the sentence about people that follows from it. KeyError, with the name, if a row was not measured."""
    numbers = Numbers(rows)
    drag = numbers.absolute("drag, answered with a frame of three cards", "µs")
    frame, shared = (numbers.median(f"1,000 streams at 30 fps, {watchers} on each session") for watchers in (1, 16))
    swipes = numbers.absolute("durable swipe", "requests/s")
    session, stream, poll = (
        GIB / numbers.median(f"memory of a {name}") for name in ("session of a shared deck in use", "stream at rest", "long-poll")
    )
    disk = "written to the disk for a durable swipe"
    each, group = numbers.median(disk), numbers.absolute(disk, "swipes in a commit")
    person = (MOVES * drag + numbers.absolute("durable swipe", "µs")) / SECONDS
    return f"""| resource | load that it can carry |
| --- | --- |
| one core | {rounded(1e6 / drag)} drags a second that are answered with a frame, or {rounded(1e6 / frame)} frames a second of streams; \
{rounded(1e6 / shared)} if sixteen streams show the same session |
| two cores | {rounded(swipes)} durable swipes a second, with the client |
| one GiB of memory | {rounded(session)} sessions of a small deck in memory, or {rounded(stream)} open streams, or {rounded(poll)} \
long-polls that wait |
| one disk | a durable swipe writes {each / 1000:.1f} kB, and {group:.0f} of them share a commit under load: {SWIPES_EACH_SECOND:,} \
swipes a second write {SWIPES_EACH_SECOND * each / 1e6:.0f} MB in {SWIPES_EACH_SECOND / group:.0f} commits |

A person drags at 30 to 60 moves a second for less than a second, and then looks at the next card for some seconds. If a person
swipes once in {SECONDS} seconds, with {MOVES} moves for each swipe, this takes {person:.0f} µs of processor time a second. So one \
core can serve {rounded(1e6 / person)} people at the same time."""
