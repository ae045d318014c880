// The server's metrics as small charts of the last two minutes.

import { make } from "/web/inspect-dom.js";

const SPAN = 120_000;
const [WIDTH, HEIGHT] = [120, 40];
/** Only the pages and the monitoring of operators use these. */
const OPERATORS_ROUTES = /route="(\/metrics|\/livez|\/readyz|\/inspect|\/web\/\{file\})"/;

/** The sum over all labels of each metric in the text format of Prometheus, without the routes of operators. */
export function readMetrics(text) {
  const sums = {};
  for (const [, name, labels = "", value] of text.matchAll(/^([a-z_]+)(\{.*\})? (\S+)$/gm)) {
    if (!name.endsWith("_bucket") && !OPERATORS_ROUTES.test(labels)) sums[name] = (sums[name] ?? 0) + Number(value);
  }
  return sums;
}

const rate = (read) => (now, before, seconds) => (read(now) - read(before)) / seconds;
const value = (...names) => (now) => names.reduce((sum, name) => sum + (now[name] ?? 0), 0);
const mean = (name, factor) => (now, before) => {
  const count = now[`${name}_count`] - before[`${name}_count`];
  return count > 0 ? (factor * (now[`${name}_sum`] - before[`${name}_sum`])) / count : 0;
};

const CHARTS = [
  { title: "Requests/s", isKey: true, read: rate((now) => now.deckd_http_requests_total - now.own.requests) },
  { title: "Mean, ms", isKey: true, read: mean("deckd_http_request_duration_seconds", 1000) },
  { title: "Errors/s", isKey: true, read: rate((now) => (now.deckd_problems_total ?? 0) - now.own.problems) },
  { title: "Sessions", isKey: true, isLevel: true, read: value("deckd_sessions") },
  { title: "Refusals/s", read: rate(value("deckd_events_refused_total")) },
  { title: "Streams, polls", isLevel: true, read: value("deckd_streams_open", "deckd_long_polls_waiting") },
  { title: "Commits/s", read: rate(value("deckd_journal_commit_changes_count")) },
  { title: "Memory, MB", isLevel: true, read: (now) => now.process_resident_memory_bytes / 1e6 },
];

const short = (number) => number.toLocaleString("en", number < 10 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 3 });

/** The smallest of 1, 2, 5, 10, 20, … that is not below a number. */
export function axisEnd(number) {
  const power = 10 ** Math.floor(Math.log10(Math.max(number, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((end) => end >= number);
}

class Chart {
  #samples = [];

  constructor({ title, isKey }, parent) {
    this.output = make("output", { textContent: "–" });
    this.top = make("span", { className: "top", textContent: "1" });
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    this.svg.setAttribute("preserveAspectRatio", "none");
    this.line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
    this.svg.append(this.line);
    const plot = make(
      "div", { className: "plot", ariaHidden: "true" },
      this.top, make("span", { className: "zero", textContent: "0" }), this.svg,
      make("span", { className: "from", textContent: "2 min ago" }), make("span", { className: "to", textContent: "now" }),
    );
    parent.append(make("figure", { className: isKey ? "key" : "" }, make("figcaption", { textContent: title }), this.output, plot));
  }

  add(sample, time) {
    this.#samples = [...this.#samples.filter((former) => former.time > time - SPAN), { sample, time }];
    this.output.textContent = short(sample);
    const end = axisEnd(Math.max(...this.#samples.map(({ sample }) => sample)));
    this.top.textContent = short(end);
    const point = ({ sample, time: at }) => `${(WIDTH * (1 - (time - at) / SPAN)).toFixed(1)},${(HEIGHT * (1 - sample / end)).toFixed(1)}`;
    this.line.setAttribute("points", this.#samples.map(point).join(" "));
  }
}

export class MetricCharts {
  #former = null;

  constructor(element) {
    this.charts = CHARTS.map((definition) => ({ ...definition, chart: new Chart(definition, element) }));
  }

  /** Takes the text of `/metrics`, and how many `requests` and `problems` of the page itself it counts, at a time in milliseconds. */
  take({ text, own }, time) {
    const now = { ...readMetrics(text), own, time };
    const before = this.#former ?? now;
    const seconds = (now.time - before.time) / 1000;
    this.#former = now;
    for (const { read, isLevel, chart } of this.charts) {
      if (seconds <= 0 && !isLevel) continue;
      const sample = read(now, before, seconds);
      if (Number.isFinite(sample)) chart.add(Math.max(sample, 0), time);
    }
  }
}
