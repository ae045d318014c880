// <swipe-deck>: a deck as an element of a page, over /deckd.js. docs/browser.md describes it, and swipe-deck.d.ts its types.

import { DeckClient, DeckView, backOff } from "./deckd.js";

/** The notifications of a session that are events of the element. */
const EVENTS = { didSwipe: "swipe", didRewind: "revert", didRedo: "redo", didSelect: "tap", didRunOut: "runout", needsCards: "needcards" };
/** The attributes that say which session is shown. */
const SESSION = ["src", "session", "token", "deck"];
/** What is shown instead of the cards. */
const NOTES = { loading: "", empty: "", ended: "This deck has ended.", failed: "The deck cannot be loaded." };

const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
  :host { display: grid; grid-template-rows: 1fr auto; width: 300px; height: 400px; }
  :host([hidden]), slot[hidden] { display: none; }
  [part="table"] { position: relative; min-width: 0; min-height: 0; }
  [part="deck"], [part="note"] { position: absolute; inset: 0; }
  [part="deck"]:focus-visible { outline: auto; outline-offset: 4px; }
  [part="note"] { display: grid; place-items: center; text-align: center; pointer-events: none; }
  [part="note"] ::slotted(*) { pointer-events: auto; }
  [part="note"]:has(slot:not([hidden])) + [part="deck"] { pointer-events: none; }
  [part~="face"] { border-radius: 16px; overflow: hidden; background: Canvas; color: CanvasText; box-shadow: 0 2px 12px #0004; cursor: grab; }
  [part~="overlay"] { background: #8886; }
  [part~="overlay"][part~="right"] { background: #2a86; }
  [part~="overlay"][part~="left"] { background: #c336; }
  [part~="content"] { display: grid; place-items: center; }
  [part~="content"] ::slotted(*) { box-sizing: border-box; width: 100%; height: 100%; margin: 0; }
`);

/** Writes a card into a copy of a template: {{title}} is a member of its `data`, or the card's id or label. */
function fill(root, { id, label, data }) {
  const values = { id, label, ...data };
  const write = (text) => text.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (_, path) => path.split(".").reduce((value, name) => value?.[name], values) ?? "");
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

export class SwipeDeckElement extends HTMLElement {
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
  #dispatched = "[]";
  /** The attributes of the session that is open, or being opened. */
  #key = null;
  /** The session that was created for the attributes `src` and `deck`, or will be: its request, and the server's answer. */
  #created = null;
  /** Another object for each session that is opened; null: none is. */
  #opening = null;
  #isChanged = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    root.adoptedStyleSheets = [STYLE];
    const note = make("div", { part: "note" }, ...this.#notes);
    note.setAttribute("role", "status");
    root.append(make("div", { part: "table" }, note, this.#deck), make("slot", { name: "actions" }));
    this.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-action]");
      if (button !== this && this.contains(button)) this.#act(button.dataset.action);
    });
  }

  get view() {
    return this.#view;
  }

  /** The `id`, `label` and `data` of the cards that are shown. */
  get cards() {
    return [...new Map([...this.#cards.values()].map((card) => [card.id, card])).values()];
  }

  /** Draws a card, as the option of a DeckView does. Without it, slots and the template are used. */
  get render() {
    return this.#render;
  }

  set render(render) {
    this.#render = render;
    this.#show();
  }

  get readOnly() {
    return this.hasAttribute("readonly");
  }

  set readOnly(isReadOnly) {
    this.toggleAttribute("readonly", Boolean(isReadOnly));
  }

  connectedCallback() {
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
    this.#view = this.#session = this.#opening = null;
    this.#note(null);
    this.#enable(null);
  }

  /** Opens the session, and tries again while the server or the network is away. */
  async #open() {
    const opening = (this.#opening = {});
    this.#note("loading");
    for (let failures = 0; this.#opening === opening; failures++) {
      try {
        const client = new DeckClient({ baseURL: new URL(this.src ?? ".", this.src ? document.baseURI : import.meta.url).href });
        const session = await (this.session ? client.sessions.open({ id: this.session, token: this.token ?? undefined }) : this.#create(client));
        if (this.#opening !== opening) return session.close();
        this.#session = session;
        this.#listen(session);
        this.#show();
        return this.#dispatch("ready", { view: this.#view, session });
      } catch (problem) {
        if (this.#opening !== opening) return;
        const isOver = (this.session || this.#created) && [404, 410].includes(problem.status);
        this.#note(isOver ? "ended" : "failed");
        if (isOver && !this.session) this.#created = null;
        this.#dispatch("problem", problem);
        if (!problem.isTransient) return;
        // The requests were repeated for seconds.
        await backOff(failures + 5, problem);
      }
    }
  }

  /** A session with the deck; the same one when the element comes back to the page. A request that is repeated creates it once. */
  async #create(client) {
    const { src, deck } = this;
    if (this.#created?.src !== src || this.#created.deck !== deck) {
      const { clientWidth, clientHeight } = this.#deck;
      const viewport = { width: clientWidth || 300, height: clientHeight || 400 };
      const body = { deck, viewport, screen: { width: innerWidth, height: innerHeight } };
      this.#created = { src, deck, request: { key: crypto.getRandomValues(new Uint32Array(4)).join("-"), body } };
    }
    const created = this.#created;
    const isFirst = !created.answer;
    created.answer ??= client.request("POST", "/v1/sessions", created.request);
    try {
      const { body } = await created.answer;
      const { id, token } = (created.seat = body);
      return await client.sessions.open(isFirst ? body : { id, token });
    } catch (problem) {
      if (!created.seat) created.answer = null;
      if (!created.seat && !problem.isTransient && this.#created === created) this.#created = null;
      throw problem;
    }
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
    const front = frame?.cards.find(({ role }) => role === "front" || role === "returning");
    const can = { revert: frame?.canRevert, redo: frame?.canRedo, flip: front };
    for (const button of this.querySelectorAll("[data-action]")) {
      const { action } = button.dataset;
      const isDisabled = this.readOnly || !(action in can ? can[action] : front?.allowedDirections.includes(action));
      // The keys stay in the element.
      if (isDisabled && button.matches(":focus")) this.#deck.focus({ preventScroll: true });
      button.disabled = isDisabled;
    }
  }

  #act(action) {
    if (["revert", "redo", "flip"].includes(action)) this[action]();
    else if (action) this.swipe(action);
  }

  #draw(card, content) {
    const { id, label, data } = card;
    this.#cards.set(content, { id, label, data });
    this.#dispatchCards();
    if (this.#render) return this.#render(card, content);
    this.#clones.get(content)?.remove();
    // A card can be shown twice in a loop, so a copy of the template has a separate slot.
    const own = `copy-${this.#count++}`;
    content.replaceChildren(make("slot", { name: `card-${id}` }, make("slot", { name: own }, label ?? id)));
    const first = this.querySelector(":scope > template")?.content.firstElementChild;
    if (!first || this.querySelector(`:scope > [slot="card-${id}"]`)) return;
    const clone = fill(first.cloneNode(true), card);
    clone.slot = own;
    this.#clones.set(content, clone);
    this.append(clone);
  }

  #remove(content) {
    this.#clones.get(content)?.remove();
    this.#clones.delete(content);
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

customElements.define("swipe-deck", SwipeDeckElement);
