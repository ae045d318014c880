// Uses the declarations of deckd.d.ts, for the TypeScript compiler.
import { DeckClient, DeckDatabase, DeckEngine, DeckProblem, DeckView, frontOf, newKey } from "./deckd.js";
import { SwipeDeckElement } from "./swipe-deck.js";
import type { Deck, DeckEvent, DeckPatch, DeckSession, Direction, EventResult, FrameCard, Notification } from "./deckd.js";

export async function begin(element: HTMLElement): Promise<DeckView | null> {
  const client = new DeckClient({ baseURL: "http://127.0.0.1:8080", onRequest: ({ method, url }) => console.log(method, url) });
  try {
    const session = await client.sessions.create({ deck: "sample", viewport: { width: 300, height: 400 } });
    const results: EventResult[] = await session.send([{ type: "swipe", direction: "left" }, { type: "revert" }]);
    const way: Direction | undefined = results[0]?.direction;
    session.addEventListener("frame", ({ detail }) => console.log(detail.currentIndex, way));
    session.addEventListener("correction", ({ detail: { before, after } }) => console.log(before.version, after.version));
    await session.patch({ rules: { swipeThreshold: 0.4, velocityThreshold: null }, motion: null });
    const render = (card: FrameCard, content: HTMLElement) => void (content.textContent = card.label ?? card.id);
    return new DeckView(element, session, { delivery: "longpoll", render });
  } catch (problem) {
    if (problem instanceof DeckProblem && problem.isTransient) return null;
    throw problem;
  }
}

/** A session in the engine, without a page. */
export async function play(snapshot: Uint8Array): Promise<number> {
  const engine = await DeckEngine.load(new URL("http://127.0.0.1:8080/engine.wasm"));
  const session = engine.open(snapshot, { cards: { 0: { id: "lviv" } } });
  const { result, verdicts } = session.apply({ type: "swipe", direction: "left", at: 10 });
  return result.applied && verdicts[0] ? session.frame(20, { labels: true }).cards.length : 0;
}

/** Events that wait survive a reload in another storage. */
export const patient = new DeckClient({ storage: new DeckDatabase(), queueLength: 100, lookAhead: 20 });

/** One key for one session, however often it is attempted; and a frame has a front card, or none. */
export async function persist(client: DeckClient, signal: AbortSignal): Promise<string | undefined> {
  const onFailure = (problem: DeckProblem, failures: number) => console.log(problem.status, failures);
  const request = { deck: "sample", viewport: { width: 300, height: 400 } };
  const { info: { id, token } } = await client.sessions.create(request, { key: newKey(), attempts: Infinity, onFailure, signal });
  const session = await client.sessions.open({ id, token }, { attempts: Infinity, signal });
  return frontOf(session.frame)?.face;
}

/** A notification has the members of its type. */
export function describe(notification: Notification): string {
  switch (notification.type) {
    case "didSwipe": return `${notification.id} ${notification.direction}`;
    case "needsCards": return `${notification.remaining}`;
    case "didRunOut": return "";
    default: return notification.type;
  }
}

/** A result has the members of its outcome. */
export function reason(result: EventResult): string | undefined {
  if (!result.applied && result.reason === "not-front-card") return "another card is in front";
  return result.outcome === "reset" ? result.reason : undefined;
}

export const events: DeckEvent[] = [
  { type: "drag", phase: "ended", translation: { x: 300, y: 0 } },
  { type: "drag", phase: "cancelled" },
  { type: "insert", index: 0, cards: [{ id: "a", data: { title: "Lviv" }, allowedDirections: ["up"] }] },
  { type: "resize", screen: { width: 300, height: 400 } },
];

/** A spring can be in part, and in a patch null restores the preset's value of a member. */
export const loose: Deck = { count: 2, motion: { snapSpring: { speed: 9 }, resetSpring: null }, layout: { scale: 0.9 } };
export const patches: DeckPatch[] = [
  { motion: { snapSpring: { speed: null }, resetSpring: { bounciness: 3 }, reduced: null } },
  { overlay: { curve: null, directions: { left: { start: null }, up: null } } },
  { layout: { type: "stretched", visibleCount: 2, topOffset: null } }, { layout: { visibleCount: null } }, { layout: null },
];
export const soften = (session: DeckSession) =>
  session.patch({ motion: { backgroundSpring: { speed: null } }, overlay: { directions: { left: { curve: null } } } });
/** A refusal has what the server adds to it. */
export const explain = (problem: DeckProblem): string | undefined =>
  problem.frame ? `version ${problem.frame.version}` : problem.cursor ?? problem.instance;

/** An element is what its name says, and its events have the members of their kind. */
export function listen(): SwipeDeckElement | null {
  const deck = document.querySelector("swipe-deck");
  deck?.addEventListener("swipe", ({ detail }) => console.log(detail.id, detail.direction));
  deck?.addEventListener("needcards", ({ detail }) => console.log(detail.remaining));
  deck?.addEventListener("revert", ({ detail: { type } }) => type === "didRewind");
  deck?.addEventListener("ready", ({ detail: { session } }) => session.addEventListener("ended", ({ detail }) => console.log(detail.status)));
  deck?.addEventListener("click", (event) => console.log(event.clientX));
  const listener = { handleEvent: (event: Event) => console.log(event.type) };
  deck?.addEventListener("deck-of-the-page", listener);
  deck?.removeEventListener("deck-of-the-page", listener);
  for (const type of ["swipe", "revert"]) deck?.addEventListener(type, (event) => console.log(event.type));
  if (deck) deck.render = (card, content) => void (content.textContent = card.id);
  deck?.swipe("right", { force: true });
  deck?.reload();
  return deck;
}

/** A page says what is shown of an ended session, and unmounts what it has drawn. */
export const careful = (element: HTMLElement, session: DeckSession) =>
  new DeckView(element, session, { ended: "Over", remove: (content) => content.replaceChildren() });

// @ts-expect-error There is no such delivery.
export const wrong = (element: HTMLElement, view: DeckView) => new DeckView(element, view.session, { delivery: "pigeon" });
// @ts-expect-error There is no such event.
export const misspelled: DeckEvent = { type: "swpie", direction: "left" };
// @ts-expect-error A swipe has a direction.
export const incomplete: DeckEvent = { type: "swipe" };
// @ts-expect-error A drag that changes has a translation.
export const immobile: DeckEvent = { type: "drag", phase: "changed" };
// @ts-expect-error There is no such setting.
export const unknown = (session: DeckSession) => session.patch({ rules: { threshold: 1 } });
// @ts-expect-error A layout has a type.
export const untyped: DeckPatch = { layout: { type: null, visibleCount: 2 } };
// @ts-expect-error A new deck has no values to restore.
export const premature: Deck = { count: 2, motion: { snapSpring: { speed: null } } };
// @ts-expect-error A carousel always has a spring.
export const springless: Deck = { count: 2, motion: { snapSpring: null } };
// @ts-expect-error There is no such event of a session.
export const deaf = (session: DeckSession) => session.addEventListener("swipe", () => {});
// @ts-expect-error A deck has cards or their number, not both.
export const both = (client: DeckClient) => client.decks.put("a", { count: 2, cards: [{ id: "a" }] });
export const misread = (session: DeckSession) =>
  // @ts-expect-error A frame has no such member.
  session.addEventListener("frame", ({ detail }) => detail.index);
// @ts-expect-error There is no such event.
export const sent = (session: DeckSession) => session.send({ type: "swpie", direction: "left" });
// @ts-expect-error There is no such direction.
export const called = (view: DeckView) => view.swipe("rihgt");
// @ts-expect-error A tap has no direction.
export const excess: DeckEvent = { type: "tap", direction: "left" };
export const compared = (notification: Notification) =>
  // @ts-expect-error There is no such notification.
  notification.type === "didSwpie";
export const mixed = (notification: Notification) =>
  // @ts-expect-error Only a swipe has a direction.
  notification.type === "didShow" && notification.direction;
export const mistyped = (session: DeckSession) =>
  // @ts-expect-error The detail of this event is a boolean.
  session.addEventListener("connection", ({ detail }) => detail.status);
export const removed = (session: DeckSession) =>
  // @ts-expect-error There is no such event of a session.
  session.removeEventListener("frmae", () => {});
export const elementDeaf = (deck: SwipeDeckElement) =>
  // @ts-expect-error A tap has no direction.
  deck.addEventListener("tap", ({ detail }) => detail.direction);
// @ts-expect-error A property has the type of its attribute.
export const wrongAttribute = (deck: SwipeDeckElement) => void (deck.session = 7);
