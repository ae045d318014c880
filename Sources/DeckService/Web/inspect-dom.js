// Elements, times and tabs of the operator's page.

/** The element with an id. */
export const find = (id) => document.getElementById(id);

/** An element with properties, `data` attributes and children. */
export function make(name, { data = {}, ...properties } = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}

/** Writes a string, unless it is there: a status that is written again is read out again. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A time on a session's clock: m:ss.mmm, and from an hour on h:mm:ss.mmm. */
export function clockTime(milliseconds) {
  const whole = Math.max(0, Math.round(milliseconds));
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(whole / 3_600_000), Math.floor(whole / 60_000) % 60, Math.floor(whole / 1000) % 60];
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds)}.${String(whole % 1000).padStart(3, "0")}`;
}

/** How long ago a time on the server's clock was. */
export function ago(timestamp) {
  const seconds = Math.max(0, (Date.now() - Date.parse(timestamp)) / 1000);
  const units = [[86400, "d"], [3600, "h"], [60, "min"]];
  const [size, name] = units.find(([size]) => seconds >= size) ?? [1, "s"];
  return `${Math.floor(seconds / size)} ${name} ago`;
}

/** A number with the name of what is counted. */
export const count = (number, name) => `${number.toLocaleString("en")} ${name}${number === 1 ? "" : "s"}`;

/**
 * Lets a list of tabs show their panels, by mouse and by arrow keys. The first tab is shown. `onChange` gets the id of each tab
 * that is shown later. Returns a function that shows a tab by its id.
 */
export function useTabs(list, onChange = () => {}) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const show = (chosen) => {
    for (const tab of tabs) {
      tab.ariaSelected = String(tab === chosen);
      tab.tabIndex = tab === chosen ? 0 : -1;
      find(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
  };
  const choose = (tab) => {
    show(tab);
    onChange(tab.id);
  };
  for (const [place, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[key];
      if (!step) return;
      const next = tabs[(place + step) % tabs.length];
      next.focus();
      choose(next);
    });
  }
  show(tabs[0]);
  return (id) => choose(find(id));
}
