// <swipe-deck>: a deck as an element of a page, over /deckd.js. docs/browser.md describes it, and swipe-deck.d.ts its types.

import { DeckClient, DeckView, frontOf, newKey } from "./deckd.js";

/** The notifications of a session that are events of the element. */
const EVENTS = { didSwipe: "swipe", didRewind: "revert", didRedo: "redo", didSelect: "tap", didRunOut: "runout", needsCards: "needcards" };
/** The attributes that say which session is shown. */
const SESSION = ["src", "session", "token", "deck"];
/** What is shown instead of the cards. */
const NOTES = { loading: "", empty: "", ended: "This deck has ended.", failed: "The deck cannot be loaded." };
/** The buttons of the element. Other libraries can use the same attribute with values of theirs. */
const BUTTONS = ["revert", "redo", "flip", "left", "right", "up", "down", "topLeft", "topRight", "bottomLeft", "bottomRight"]
  .map((action) => `[data-action="${action}"]`).join();
/** How often a request fails before the page learns of it. */
const QUIET_FAILURES = 5;

// A server that renders pages can import this module, although it has no elements.
const STYLE = globalThis.CSSStyleSheet && new CSSStyleSheet();
STYLE?.replaceSync(`
  :host { display: grid; grid-template-rows: 1fr auto; width: 300px; height: 400px; }
  :host([hidden]), slot[hidden] { display: none; }
  [part="table"] { position: relative; min-width: 0; min-height: 0; }
  [part="deck"], [part="note"] { position: absolute; inset: 0; }
  [part="deck"]:focus-visible { outline: auto; outline-offset: 4px; }
  [part="note"] { display: grid; place-items: center; text-align: center; pointer-events: none; }
  [part="note"] ::slotted(*) { pointer-events: auto; }
  [part="note"]:has(slot:not([hidden])) + [part="deck"] { pointer-events: none; }
  [part~="face"] { border-radius: 16px; overflow: hidden; background: Canvas; color: CanvasText; box-shadow: 0 2px 12px #0004; cursor: grab; }
  /* With forced colours there is no shadow, and every outline is visible. */
  [part~="face"] { outline: 1px solid transparent; outline-offset: -1px; }
  [part~="face"][part~="back"] { background: color-mix(in srgb, Canvas, CanvasText 20%); }
  [part~="overlay"] { background: #8886; }
  [part~="overlay"][part~="right"] { background: #2a86; }
  [part~="overlay"][part~="left"] { background: #c336; }
  [part~="content"] { display: grid; place-items: center; }
  [part~="content"] ::slotted(*) { box-sizing: border-box; width: 100%; height: 100%; margin: 0; }
`);

/** A member as it is written in a template: a list or an object as JSON. */
function text(member) {
  const value = member ?? "";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Writes a card into a copy of a template: {{title}} is a member of its `data`, or the card's id, label or face. */
function fill(root, { id, label, face, data }) {
  const values = { id, label, face, ...data };
  const find = (path) => path.split(".").reduce((value, name) => (Object.hasOwn(Object(value), name) ? value[name] : null), values);
  const write = (pattern) => pattern.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (_, path) => text(find(path)));
  for (const element of [root, ...root.querySelectorAll("*")]) {
    // What a card says is never run.
    if (/^(script|style)$/i.test(element.localName)) continue;
    for (const { name, value } of element.attributes) {
      if (!value.includes("{{") || name.startsWith("on") || name === "srcdoc") continue;
      const written = write(value);
      element.setAttribute(name, /^javascript:/i.test(written.replace(/[\0- ]/g, "")) ? "" : written);
    }
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) node.data = write(node.data);
  }
  return root;
}

const make = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

export class SwipeDeckElement extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = [...SESSION, "label", "readonly"];

  #deck = make("div", { part: "deck" });
  #notes = Object.entries(NOTES).map(([name, text]) => make("slot", { name, hidden: true }, text));
  #session = null;
  #view = null;
  #render = null;
  /** The cards that are shown, by the elements of their content. */
  #cards = new Map();
  #clones = new Map();
  #count = 0;
  /** The frame that the buttons are for; null without a session. */
  #frame = null;
  #dispatched = "[]";
  /** The attributes of the session that is open, or being opened. */
  #key = null;
  /** The session that was created for the attributes `src` and `deck`, or will be: its request and key, and its seat once it is known. */
  #created = null;
  /** Ends the current attempt to open a session. An earlier one that ends later is ignored. */
  #opening = new AbortController();
  #isChanged = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    root.adoptedStyleSheets = [STYLE];
    // Without a view, the deck gets the focus of a disabled button, too.
    this.#deck.tabIndex = -1;
    const note = make("div", { part: "note" }, ...this.#notes);
    note.setAttribute("role", "status");
    root.append(make("div", { part: "table" }, note, this.#deck), make("slot", { name: "actions" }));
    this.addEventListener("click", ({ target }) => {
      const button = target.closest(BUTTONS);
      if (button !== this && this.contains(button)) this.#act(button.dataset.action);
    });
    // A button can be added, or get another action, at any time. So can the template.
    const buttons = { childList: true, subtree: true, attributeFilter: ["data-action"] };
    const isTemplate = (node) => node.parentNode === this && node.localName === "template";
    new MutationObserver((records) => {
      if (records.some(({ addedNodes }) => [...addedNodes].some(isTemplate)) && !this.#render) this.#redraw();
      this.#enable(this.#frame);
    }).observe(this, buttons);
  }

  get view() {
    return this.#view;
  }

  /** The `id`, `label`, `face` and `data` of the cards that are shown. */
  get cards() {
    return [...new Map([...this.#cards.values()].map(({ id, label, face, data }) => [id, { id, label, face, data }])).values()];
  }

  /** Draws a card, as the option of a DeckView does. Without it, slots and the template are used. */
  get render() {
    return this.#render;
  }

  set render(render) {
    if (render === this.#render) return;
    this.#render = render;
    this.#redraw();
  }

  get readOnly() {
    return this.hasAttribute("readonly");
  }

  set readOnly(isReadOnly) {
    this.toggleAttribute("readonly", Boolean(isReadOnly));
  }

  connectedCallback() {
    // A copy of another element has its copies of the template.
    const own = new Set(this.#clones.values());
    for (const child of this.querySelectorAll(':scope > [slot^="copy-"]')) if (!own.has(child)) child.remove();
    // A property that was set before this class was there.
    for (const name of [...SESSION, "label", "readOnly", "render"]) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.#change();
  }

  disconnectedCallback() {
    this.#change();
  }

  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (SESSION.includes(name)) this.#change();
    else if (name === "readonly") this.#show();
    else if (this.#view) this.#deck.setAttribute("aria-label", this.#name);
  }

  /** Opens the session again, or another one of the deck if it has ended. */
  reload() {
    this.#key = undefined;
    this.#change();
  }

  swipe(direction, options) {
    return this.#view?.swipe(direction, options);
  }

  flip() {
    return this.#view?.flip();
  }

  revert() {
    return this.#view?.revert();
  }

  redo() {
    return this.#view?.redo();
  }

  #dispatch(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }

  #note(name) {
    for (const note of this.#notes) note.hidden = note.name !== name;
  }

  get #name() {
    return this.label ?? "Cards";
  }

  // -- The session

  /** Several changes at once, such as a move to another place of the page, are one. */
  #change() {
    if (this.#isChanged) return;
    this.#isChanged = true;
    queueMicrotask(() => {
      this.#isChanged = false;
      const key = this.isConnected ? JSON.stringify(SESSION.map((name) => this[name])) : null;
      if (key === this.#key) return;
      this.#close();
      this.#key = key;
      if (key && (this.session || this.deck)) this.#open();
    });
  }

  #close() {
    this.#view?.close();
    this.#session?.close();
    this.#opening.abort();
    this.#view = this.#session = null;
    this.#note(null);
    this.#enable(null);
  }

  /** Opens the session, and tries again while the server or the network is away. */
  async #open() {
    const { signal } = (this.#opening = new AbortController());
    this.#note("loading");
    try {
      const client = new DeckClient({ baseURL: this.src ? new URL(this.src, document.baseURI).href : undefined });
      const onFailure = (problem, failures) => !signal.aborted && failures >= QUIET_FAILURES && this.#fail(problem);
      const session = await this.#begin(client, { signal, attempts: Infinity, onFailure });
      if (signal.aborted) return session.close();
      this.#session = session;
      this.#listen(session);
      this.#show();
      this.#dispatch("ready", { view: this.#view, session });
    } catch (problem) {
      if (!signal.aborted) this.#fail(problem);
    }
  }

  #fail(problem) {
    const isKnown = this.session || this.#created?.seat;
    const isOver = isKnown && [404, 410].includes(problem.status) && !problem.isTransient;
    this.#note(isOver ? "ended" : "failed");
    // The next attempt creates another session.
    if (!this.session && (isOver || !(isKnown || problem.isTransient))) this.#created = null;
    this.#dispatch("problem", problem);
  }

  /** Opens the session of the attributes; that of a deck is created once, and is the same one when the element comes back to the page. */
  async #begin(client, options) {
    if (this.session) return client.sessions.open({ id: this.session, token: this.token ?? undefined }, options);
    const { src, deck } = this;
    if (this.#created?.src !== src || this.#created.deck !== deck) {
      const { clientWidth, clientHeight } = this.#deck;
      const viewport = { width: clientWidth || 300, height: clientHeight || 400 };
      const request = { deck, viewport, screen: { width: innerWidth, height: innerHeight } };
      this.#created = { src, deck, request, key: newKey() };
    }
    const created = this.#created;
    if (created.seat) return client.sessions.open(created.seat, options);
    const session = await client.sessions.create(created.request, { ...options, key: created.key });
    const { id, token } = session.info;
    created.seat = { id, token };
    return session;
  }

  #listen(session) {
    const on = (type, listener) => session.addEventListener(type, ({ detail }) => this.#session === session && listener(detail));
    on("frame", (frame) => this.#showState(frame));
    on("problem", (problem) => this.#dispatch("problem", problem));
    on("ended", (problem) => {
      // The element does not come back to it.
      if (this.#created?.seat?.id === session.id) this.#created = null;
      this.#note("ended");
      this.#enable(null);
      this.#dispatch("ended", problem);
    });
    on("notification", (notification) => {
      const type = EVENTS[notification.type];
      if (type) this.#dispatch(type, notification);
    });
  }

  // -- What is shown

  #show() {
    if (!this.#session) return;
    this.#view?.close();
    this.#view = new DeckView(this.#deck, this.#session, {
      label: this.#name, isReadOnly: this.readOnly, ended: "",
      render: (card, content) => this.#draw(card, content),
      remove: (content) => this.#remove(content),
    });
    if (this.#session.isEnded) this.#note("ended");
    else if (this.#session.frame) this.#showState(this.#session.frame);
  }

  #showState(frame) {
    this.#note(frame.exhausted ? "empty" : null);
    this.#enable(frame);
  }

  /** Enables the buttons that can do something now. */
  #enable(frame) {
    this.#frame = frame;
    const front = frontOf(frame);
    const can = { revert: frame?.canRevert, redo: frame?.canRedo, flip: front };
    for (const button of this.querySelectorAll(BUTTONS)) {
      const { action } = button.dataset;
      const isDisabled = this.readOnly || !(action in can ? can[action] : front?.allowedDirections.includes(action));
      if (isDisabled) this.#releaseFocus(button);
      button.disabled = isDisabled;
    }
  }

  /** The keys stay in the element when one of its children is disabled or removed. `:focus` is only in a window that has the focus. */
  #releaseFocus(child) {
    if (child.contains(this.getRootNode().activeElement)) this.#deck.focus({ preventScroll: true });
  }

  #act(action) {
    if (["revert", "redo", "flip"].includes(action)) this[action]();
    else this.swipe(action);
  }

  #draw(card, content) {
    const { id, label, face } = card;
    this.#cards.set(content, card);
    this.#dispatchCards();
    if (this.#render) return this.#render(card, content);
    this.#removeClone(content);
    // A card can be shown twice in a loop, so a copy of the template has a separate slot.
    const own = `copy-${this.#count++}`;
    const name = face === "back" ? "" : (label ?? id);
    content.replaceChildren(make("slot", { name: `card-${id}` }, make("slot", { name: own }, name)));
    const first = this.querySelector(":scope > template")?.content.firstElementChild;
    if (!first || this.querySelector(`:scope > [slot="card-${id}"]`)) return;
    const clone = fill(first.cloneNode(true), card);
    clone.slot = own;
    this.#clones.set(content, clone);
    this.append(clone);
  }

  /** Draws the cards that are shown again. A drag continues. */
  #redraw() {
    for (const [content, card] of this.#cards) {
      this.#removeClone(content);
      content.replaceChildren();
      try {
        this.#draw(card, content);
      } catch (error) {
        reportError(error);
      }
    }
  }

  #removeClone(content) {
    const clone = this.#clones.get(content);
    if (clone) this.#releaseFocus(clone);
    clone?.remove();
    this.#clones.delete(content);
  }

  #remove(content) {
    this.#removeClone(content);
    this.#cards.delete(content);
    this.#dispatchCards();
  }

  /** Cards come and go together, so there is one event for all. */
  #dispatchCards() {
    queueMicrotask(() => {
      const { cards } = this;
      const shown = JSON.stringify(cards);
      if (shown === this.#dispatched) return;
      this.#dispatched = shown;
      this.#dispatch("cards", cards);
    });
  }
}

for (const name of [...SESSION, "label"]) {
  Object.defineProperty(SwipeDeckElement.prototype, name, {
    get() {
      return this.getAttribute(name);
    },
    set(value) {
      if (value === null || value === undefined) this.removeAttribute(name);
      else this.setAttribute(name, value);
    },
  });
}

globalThis.customElements?.define("swipe-deck", SwipeDeckElement);
