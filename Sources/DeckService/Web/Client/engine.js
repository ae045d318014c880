// The server's engine as WebAssembly. A part of /deckd.js, after numbers.js, that needs no page: it also runs in workers, Node and Deno.

/** A session that runs in the engine. */
class EngineSession {
  #engine;
  #handle;
  #cards;
  #numbers = null;
  #isPartial;

  /**
   * `cards` has, by its number, the `id`, the `label` and the `data` of each card. Another card was not read if they are partial;
   * otherwise it has its number as its id.
   */
  constructor(engine, handle, { session, cards = {}, isPartial }) {
    this.#engine = engine;
    this.#handle = handle;
    this.#cards = cards;
    this.#isPartial = isPartial;
    this.session = session;
  }

  #card(number) {
    return this.#cards[number] ?? (this.#isPartial ? {} : { id: String(number) });
  }

  #id(number) {
    return number === undefined ? undefined : this.#card(number).id;
  }

  /** The number of the card with an id. */
  #number(id) {
    if (id === undefined) return NaN;
    this.#numbers ??= new Map(Object.entries(this.#cards).map(([number, card]) => [card.id, Number(number)]));
    if (this.#numbers.has(id)) return this.#numbers.get(id);
    return !this.#isPartial && /^(0|[1-9]\d{0,8})$/.test(id) && !this.#cards[id] ? Number(id) : NO_CARD;
  }

  /** The time of the last event. */
  get now() {
    return this.#engine.now(this.#handle);
  }

  /** Applies an event at its time, `at`. The result is the server's, and `verdicts` has the verdicts that it gave or reverted. */
  apply(event) {
    const { type, at, id } = event;
    if (SERVER_EVENTS.includes(type)) refuse("needs-server");
    const number = choice(EVENT_TYPES, type);
    const numbers = this.#engine.apply(this.#handle, [number, moment(finite(at)), this.#number(id), ...EVENTS[type](event)]);
    const reason = numbers.name(ENGINE_NAMES.refusal);
    const ending = readEnding(numbers);
    const [direction, index, version] = [numbers.name(ways), numbers.optional(), numbers.exact()];
    const result = present({ type, applied: !reason, ...(reason && { reason }), ...ending, direction, index, version });
    const verdicts = numbers.list(() => this.#verdict(numbers));
    return { result, verdicts, notifications: this.#notifications(numbers) };
  }

  /** Moves the clock to a time, and returns the notifications up to then. */
  advance(at) {
    return this.#notifications(this.#engine.advance(this.#handle, moment(finite(at))));
  }

  #verdict(numbers) {
    const reverted = numbers.flag();
    return {
      seq: numbers.exact(), at: numbers.number(), index: numbers.exact(), id: this.#id(numbers.exact()), direction: numbers.name(ways),
      reverted,
    };
  }

  #notifications(numbers) {
    return numbers.list(() => {
      const [seq, at, type] = [numbers.optional(), numbers.number(), numbers.name(ENGINE_NAMES.notification)];
      const [index, card, direction, number] = [numbers.optional(), numbers.optional(), numbers.name(ways), numbers.optional()];
      const member = { dragged: "percentage", didSelect: "count", didFlip: "face", needsCards: "remaining" }[type];
      const value = type === "didFlip" ? ENGINE_NAMES.face[number] : number;
      return present({ seq, at, type, index, id: this.#id(card), direction, ...(member && { [member]: value }) });
    });
  }

  /**
   * The frame at a time if no event comes until then: what `GET …/frame` returns, with `include` its additional members. Cards that were
   * not read are left out, and `unread` is their number.
   */
  frame(at = this.now, { labels = false, data = false } = {}) {
    const numbers = this.#engine.frame(this.#handle, moment(finite(at)));
    const version = numbers.exact();
    const facts = { at: numbers.number(), ...numbers.members("currentIndex", "cardCount", "visibleCount") };
    const [loop, exhausted, dragging] = [numbers.flag(), numbers.flag(), numbers.flag()];
    const end = numbers.exact();
    const near = sixDecimals(end);
    // At the time that is written, nothing moves any more. So it is not rounded down.
    const settlesAt = isNaN(end) ? null : sixDecimals(near + (near < end) / 1e6);
    const { canRevert, canRedo, lastNotification } = numbers.members("canRevert", "canRedo", "lastNotification");
    const drag = numbers.flag() ? readDrag(numbers) : null;
    const pending = numbers.flag() ? this.#pending(numbers) : null;
    const all = numbers.list(() => this.#frameCard(numbers, facts.cardCount, { labels, data }));
    const cards = all.filter(({ id }) => id !== undefined);
    const unread = all.length - cards.length;
    const frame = {
      session: this.session, version, ...facts, loop, exhausted, dragging, drag, pending, animating: settlesAt !== null, settlesAt,
      canRevert, canRedo, cards, lastNotification, ...(unread && { unread }),
    };
    return labels ? { ...frame, accessibility: this.#accessibility(numbers, frame) } : frame;
  }

  #pending(numbers) {
    return { index: numbers.exact(), id: this.#id(numbers.exact()), direction: numbers.name(ways), ...numbers.members("since", "until") };
  }

  #frameCard(numbers, count, { labels, data }) {
    const index = numbers.exact();
    const { id, ...content } = this.#card(numbers.exact());
    const isThere = numbers.flag();
    // The order of these members is the order of the numbers: do not sort them.
    const card = {
      index, id, role: numbers.name(ENGINE_NAMES.role), z: numbers.exact(), frame: numbers.members("x", "y", "width", "height"),
      ...readMatrix(numbers), anchor: numbers.members("x", "y"), contentScale: numbers.members("x", "y"),
      opacity: numbers.number(), interactive: numbers.flag(),
      overlay: { direction: numbers.name(ways), ...numbers.members("progress", "alpha") },
      allowedDirections: numbers.list(() => numbers.name(ways)),
      ...(data && { data: (isThere ? content.data : null) ?? null }),
      ...(labels && { label: (isThere ? content.label : null) ?? null, position: isThere ? `${index + 1} of ${count}` : null }),
    };
    if (!card.overlay.direction) card.overlay = null;
    return card;
  }

  /** The texts for a screen reader, and the actions that need no pointer. */
  #accessibility(numbers, { currentIndex, cardCount }) {
    const position = (index) => `${index + 1} of ${cardCount}`;
    const idOf = (number) => this.#id(number) ?? "Card";
    const name = (number) => number === undefined ? null : (this.#card(number).label ?? idOf(number));
    const restIndex = numbers.exact();
    const [rest, shown] = [name(numbers.optional()), name(numbers.optional())];
    const isCarousel = numbers.flag();
    const front = rest === null ? "No more cards" : `${rest}, ${position(restIndex)}`;
    let announcement = front;
    const change = numbers.exact();
    if (change) {
      const card = numbers.exact();
      const decided = numbers.flag() ? name(card) : idOf(card);
      const way = numbers.exact();
      announcement = change === 1 ? `${decided}: ${ENGINE_NAMES.spoken[way]}. ${front}` : `${decided} is back. ${front}`;
    }
    const actions = numbers.list(() => spokenActions[numbers.exact()](numbers.exact(), isCarousel));
    return { label: shown ?? "No more cards", position: shown === null ? `0 of ${cardCount}` : position(currentIndex), actions, announcement };
  }

  /** A session that continues from here independently. */
  copy() {
    return new EngineSession(this.#engine, this.#engine.copy(this.#handle), { session: this.session, cards: this.#cards, isPartial: this.#isPartial });
  }

  /** Frees the memory of the session. It cannot be used any more. */
  close() {
    this.#engine.close(this.#handle);
    this.#handle = -1;
  }
}

/** The engine. `load` takes the URL or the bytes of engine.wasm. */
export class DeckEngine {
  #wasm;

  constructor(instance) {
    this.#wasm = instance.exports;
  }

  static async load(source) {
    const isAddress = typeof source === "string" || source instanceof URL;
    const bytes = isAddress ? await DeckEngine.#fetch(source) : source;
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new DeckEngine(instance);
  }

  static async #fetch(url) {
    let problem;
    try {
      const response = await fetch(url);
      const answer = await content(response);
      if (response.ok) return await new Response(answer).arrayBuffer();
      problem = { detail: `${url}: ${response.status} ${response.statusText}`, status: response.status };
    } catch (error) {
      // Node's `fetch` reads no files.
      if (/^file:/.test(url)) throw error;
      problem = { detail: `${url}: ${error.message}` };
    }
    throw new DeckProblem(problem);
  }

  /** Continues a session from a client snapshot: its bytes, the session's id, and its cards by their numbers. */
  open(snapshot, content = {}) {
    const bytes = new Uint8Array(snapshot.buffer ?? snapshot, snapshot.byteOffset ?? 0, snapshot.byteLength);
    const calls = {
      apply: (handle, event) => this.#output(this.#applied(handle, event)),
      advance: (handle, at) => this.#output(this.#wasm.advance(handle, at)),
      frame: (handle, at) => this.#output(this.#wasm.frame(handle, at)),
      copy: (handle) => checked(this.#wasm.copy(handle)),
      close: (handle) => this.#wasm.close(handle),
      now: (handle) => this.#wasm.now(handle),
    };
    return new EngineSession(calls, checked(this.#wasm.open(this.#write(bytes))), content);
  }

  /** Writes what a call reads, and returns how many numbers these are. */
  #write(list) {
    // The memory can grow, and then has another buffer.
    const place = this.#wasm.reserve(list.byteLength) || refuse("too-large");
    new list.constructor(this.#wasm.memory.buffer, place).set(list);
    return list.length;
  }

  #applied(handle, event) {
    return this.#wasm.apply(handle, this.#write(new Float64Array(event)));
  }

  #output(count) {
    checked(count);
    return new Numbers(new Float64Array(this.#wasm.memory.buffer, this.#wasm.output(), count));
  }
}
