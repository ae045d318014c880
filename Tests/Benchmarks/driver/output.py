"""The table as text, in docs/performance.md, as JSON and as a picture."""

import html
import json
import platform
import re
import statistics
import subprocess
import sys

import capacity
from load import Row
from servers import ROOT

FOLDER = ROOT / "docs/benchmarks"
DOCUMENT = ROOT / "docs/performance.md"
RESULTS, PICTURE = FOLDER / "results.json", FOLDER / "results.svg"


def machine(is_quick):
    """What the numbers depend on."""
    info = open("/proc/cpuinfo", encoding="utf-8").read()
    model = re.search(r"model name\s*: (.*)", info)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    return {
        "commit": commit.strip(),
        "cores": info.count("processor\t:"),
        "processor": model[1] if model else platform.machine(),
        "kernel": platform.release(),
        "quick": is_quick,
    }


def shown(number):
    if abs(number) >= 100:
        return f"{number:,.0f}"
    return f"{number:.2f}" if abs(number) < 10 else f"{number:.1f}"


def cells(row):
    spread = f"{shown(min(row.values))}–{shown(max(row.values))}" if len(row.values) > 1 else ""
    costs = shown(statistics.median(row.by_processor_time)) if row.by_processor_time else ""
    return [row.name, row.against, f"{shown(row.median)} {row.unit}".strip(), spread, costs, row.goal, row.detail]


HEADS = ["what", "against", "median", "spread", "by processor time", "goal", "in numbers"]


def caption(about):
    kind = "A quick run" if about["quick"] else "A full run"
    return f"{kind} of commit {about['commit']} on {about['cores']} cores of {about['processor']}, Linux {about['kernel']}."


def text(rows, is_padded=True):
    """A table in Markdown. With padding it is readable as it is."""
    lines = [HEADS, *map(cells, rows)]
    widths = [max(len(line[column]) for line in lines) if is_padded else 3 for column in range(len(HEADS))]
    padded = [" | ".join(cell.ljust(width) for cell, width in zip(line, widths)) for line in lines]
    padded.insert(1, " | ".join("-" * width for width in widths))
    return "\n".join(f"| {line} |" for line in padded)


def write(rows, about):
    FOLDER.mkdir(exist_ok=True)
    values = {"machine": about, "rows": [row.json() for row in rows]}
    RESULTS.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for path, content in documents(rows, about).items():
        path.write_text(content, encoding="utf-8")


def stored():
    """The rows and the machine of the last run that was written."""
    values = json.loads(RESULTS.read_text(encoding="utf-8"))
    return [Row.read(row) for row in values["rows"]], values["machine"]


def documents(rows, about):
    """What the files that show the results contain then."""
    document = DOCUMENT.read_text(encoding="utf-8")
    document = replaced(document, "results", f"{text(rows, is_padded=False)}\n\n{caption(about)}")
    try:
        document = replaced(document, "capacity", capacity.text(rows))
    except KeyError as name:
        print(f"the capacity stays as it is, because a row was not measured: {name}", file=sys.stderr)
    return {DOCUMENT: document, PICTURE: picture([row for row in rows if not row.unit])}


def replaced(document, name, content):
    """The document with other content between two marks."""
    marks = rf"(<!-- {name} -->\n).*(<!-- end of {name} -->\n)"
    return re.sub(marks, lambda match: f"{match[1]}\n{content}\n\n{match[2]}", document, flags=re.DOTALL)


# The picture: a bar for each ratio, with its goal as a line. Ratios above the scale end with an arrow.
WIDTH, LEFT, BAR, LINE, TOP = 860, 470, 300, 22, 34
FULL = 1.5
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #222 }
.dim { fill: #666 } .bar { fill: #4472b8 } .spread { stroke: #222 } .goal { stroke: #c0392b; stroke-width: 2 }
.one { stroke: #bbb }
@media (prefers-color-scheme: dark) {
text { fill: #ddd } .dim { fill: #999 } .bar { fill: #6f9fe0 } .spread { stroke: #ddd } .goal { stroke: #ff7b6b }
.one { stroke: #555 } }
"""


def place(ratio):
    return LEFT + BAR * min(ratio, FULL) / FULL


def picture(rows):
    height = TOP + LINE * len(rows) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="Rates of deckd relative to others">',
        f"<style>{STYLE}</style>",
        f'<text x="{LEFT}" y="18" class="dim">ratio of rates, median; line: smallest to largest; red: goal</text>',
        f'<line x1="{place(1)}" x2="{place(1)}" y1="{TOP - 8}" y2="{height}" class="one"/>',
    ]
    for number, row in enumerate(rows):
        parts += bar(row, TOP + LINE * number)
    return "\n".join([*parts, "</svg>", ""])


def bar(row, top):
    name = html.escape(f"{row.name} / {row.against}")
    low, high = place(min(row.values)), place(max(row.values))
    middle = top + 8
    yield f'<text x="{LEFT - 8}" y="{top + 12}" text-anchor="end">{name}</text>'
    yield f'<rect x="{LEFT}" y="{top}" width="{place(row.median) - LEFT:.1f}" height="16" class="bar"/>'
    yield f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{middle}" y2="{middle}" class="spread"/>'
    if match := re.search(r"[\d.]+", row.goal):
        goal = place(float(match[0]))
        yield f'<line x1="{goal:.1f}" x2="{goal:.1f}" y1="{top - 2}" y2="{top + 18}" class="goal"/>'
    arrow = " →" if row.median > FULL else ""
    yield f'<text x="{LEFT + BAR + 12}" y="{top + 12}">{shown(row.median)}{arrow}</text>'
