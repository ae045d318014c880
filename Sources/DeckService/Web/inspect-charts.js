// The server's metrics as small charts of the last two minutes.

const SAMPLES = 60;
const [WIDTH, HEIGHT] = [120, 32];

/** The sum over all labels of each metric in the text format of Prometheus. */
export function readMetrics(text) {
  const sums = {};
  for (const [, name, labels, value] of text.matchAll(/^([a-z_]+)(\{[^}]*\})? (\S+)$/gm)) {
    if (!name.endsWith("_bucket")) sums[name] = (sums[name] ?? 0) + Number(value);
  }
  return sums;
}

const rate = (name) => (now, before, seconds) => (now[name] - before[name]) / seconds;
const value = (...names) => (now) => names.reduce((sum, name) => sum + (now[name] ?? 0), 0);
const mean = (name, factor) => (now, before) => {
  const count = now[`${name}_count`] - before[`${name}_count`];
  return count > 0 ? (factor * (now[`${name}_sum`] - before[`${name}_sum`])) / count : 0;
};

const CHARTS = [
  { title: "Requests a second", read: rate("deckd_http_requests_total") },
  { title: "Mean time, ms", read: mean("deckd_http_request_duration_seconds", 1000) },
  { title: "Problems a second", read: rate("deckd_problems_total") },
  { title: "Refusals a second", read: rate("deckd_events_refused_total") },
  { title: "Sessions", read: value("deckd_sessions") },
  { title: "Clients that wait", read: value("deckd_streams_open", "deckd_long_polls_waiting") },
  { title: "Commits a second", read: rate("deckd_journal_commit_changes_count") },
  { title: "Memory, MB", read: (now) => now.process_resident_memory_bytes / 1e6 },
];

export class MetricCharts {
  #former = null;

  constructor(element) {
    this.charts = CHARTS.map((chart) => ({ ...chart, values: [], ...MetricCharts.#make(element, chart.title) }));
  }

  static #make(parent, title) {
    const figure = document.createElement("figure");
    const caption = Object.assign(document.createElement("figcaption"), { textContent: title });
    const output = Object.assign(document.createElement("output"), { textContent: "–" });
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    svg.append(line);
    figure.append(caption, output, svg);
    parent.append(figure);
    return { output, line };
  }

  /** Takes what `/metrics` says at a time in milliseconds. */
  take(text, time) {
    const now = { ...readMetrics(text), time };
    const before = this.#former ?? now;
    this.#former = now;
    if (before === now) return;
    for (const chart of this.charts) {
      const sample = chart.read(now, before, (now.time - before.time) / 1000);
      if (!Number.isFinite(sample)) continue;
      chart.values = [...chart.values.slice(1 - SAMPLES), Math.max(sample, 0)];
      chart.output.textContent = sample.toLocaleString("en", { maximumSignificantDigits: 3 });
      const most = Math.max(...chart.values, 1e-9);
      const x = (index) => WIDTH - (chart.values.length - 1 - index) * (WIDTH / (SAMPLES - 1));
      const points = chart.values.map((sample, index) => `${x(index).toFixed(1)},${(HEIGHT - 2 - (sample / most) * (HEIGHT - 4)).toFixed(1)}`);
      chart.line.setAttribute("points", points.join(" "));
    }
  }
}
