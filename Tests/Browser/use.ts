// Uses what deckd.d.ts declares, for the TypeScript compiler to look at.
import { DeckClient, DeckProblem, DeckView, dragReading } from "./deckd.js";
import type { Direction, EventResult, FrameCard } from "./deckd.js";

export async function begin(element: HTMLElement): Promise<DeckView | null> {
  const client = new DeckClient({ baseURL: "http://127.0.0.1:8080", onRequest: ({ method, url }) => console.log(method, url) });
  try {
    const session = await client.sessions.create({ deck: "sample", viewport: { width: 300, height: 400 } });
    const results: EventResult[] = await session.send([{ type: "swipe", direction: "left" }, { type: "revert" }]);
    const way: Direction | undefined = results[0]?.direction;
    const { percentage } = dragReading({ x: 10, y: 0 }, session.info.viewport, way ? [way] : ["left"]);
    session.addEventListener("frame", (event) => console.log((event as CustomEvent).detail, percentage));
    const render = (card: FrameCard, content: HTMLElement) => void (content.textContent = card.label ?? card.id);
    return new DeckView(element, session, { delivery: "longpoll", render });
  } catch (problem) {
    if (problem instanceof DeckProblem && problem.isTransient) return null;
    throw problem;
  }
}

// @ts-expect-error There is no such delivery.
export const wrong = (element: HTMLElement, view: DeckView) => new DeckView(element, view.session, { delivery: "pigeon" });
