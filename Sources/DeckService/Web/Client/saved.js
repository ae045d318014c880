// What survives a reload of the page. A part of /deckd.js, after outbox.js.

const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
const toBytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** How many events are applied to a saved snapshot before a new one is read. */
const MOST_CONFIRMED = 500;

/** The events that wait, and the session that they were applied to, in a storage like `sessionStorage`. */
class SavedEvents {
  #base = null;
  #confirmed = [];
  #isSaved = { base: false, events: false };

  constructor(storage, id, onError) {
    Object.assign(this, { storage, onError, place: `deckd.${id}` });
  }

  /** Whether a new snapshot should be read, because the events since the last one are too many. */
  get isLong() {
    return this.#confirmed.length > MOST_CONFIRMED;
  }

  /** What a former page has left; null: nothing. */
  async read() {
    try {
      const [base, events] = await Promise.all(["session", "events"].map((part) => this.storage?.getItem(`${this.place}.${part}`)));
      if (!events) return null;
      const { number, confirmed, outbox } = JSON.parse(events);
      const { snapshot, info, ...session } = JSON.parse(base ?? "{}");
      this.#isSaved = { base: false, events: true };
      if (session.number !== number || !snapshot) return { outbox, confirmed, info };
      // Events are added to these until another snapshot is read.
      this.#base = { number, info, snapshot: toBytes(snapshot) };
      this.#confirmed = confirmed;
      return { outbox, confirmed, ...this.#base };
    } catch (error) {
      this.onError(error);
      return null;
    }
  }

  /** From now on events are applied to this snapshot. */
  begin(snapshot, info) {
    this.#base = { number: newKey(), snapshot, info };
    this.#confirmed = [];
    this.#isSaved.base = false;
  }

  /**
   * Saves the events that wait. The snapshot can be large, so it is saved only if the next page may need it.
   *
   * @param confirmed events that do not wait any more.
   */
  write(outbox, isWhole, confirmed = []) {
    if (!this.storage) return;
    // Without a snapshot, what waits is saved alone.
    const { number, snapshot, info } = this.#base ?? {};
    if (number) this.#confirmed.push(...confirmed);
    if (!outbox.events.length) return this.#remove();
    if (number && isWhole && !this.#isSaved.base) {
      this.#set("session", { number, info, snapshot: toText(snapshot) });
      this.#isSaved.base = true;
    }
    this.#set("events", { number, confirmed: this.#confirmed, outbox });
    this.#isSaved.events = true;
  }

  #remove() {
    if (this.#isSaved.events) for (const part of ["events", "session"]) this.#call("removeItem", `${this.place}.${part}`);
    this.#isSaved = { base: false, events: false };
  }

  #set(part, value) {
    this.#call("setItem", `${this.place}.${part}`, JSON.stringify(value));
  }

  async #call(method, ...values) {
    try {
      await this.storage[method](...values);
    } catch (error) {
      this.onError(error);
    }
  }
}

/** IndexedDB with the methods of `sessionStorage`, for `new DeckClient({ storage: new DeckDatabase() })`. */
export class DeckDatabase {
  #name;
  #opened = null;

  constructor(name = "deckd") {
    this.#name = name;
  }

  #ask(begin) {
    return new Promise((resolve, reject) => {
      const request = begin();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }

  async #open() {
    const database = await this.#ask(() => {
      const request = indexedDB.open(this.#name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("items");
      return request;
    });
    const close = () => {
      database.close();
      this.#opened = null;
    };
    // The browser has closed it, because its user has removed the data of the site; or another page removes it.
    return Object.assign(database, { onclose: close, onversionchange: close });
  }

  async #store(mode) {
    try {
      return (await (this.#opened ??= this.#open())).transaction("items", mode).objectStore("items");
    } catch (error) {
      // The next call opens it again.
      this.#opened = null;
      throw error;
    }
  }

  async getItem(name) {
    const store = await this.#store("readonly");
    return (await this.#ask(() => store.get(name))) ?? null;
  }

  async setItem(name, value) {
    const store = await this.#store("readwrite");
    await this.#ask(() => store.put(value, name));
  }

  async removeItem(name) {
    const store = await this.#store("readwrite");
    await this.#ask(() => store.delete(name));
  }
}
