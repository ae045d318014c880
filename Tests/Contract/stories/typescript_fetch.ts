// The story of a deck, played with the client that openapi-generator makes for TypeScript.
import {
  CardRole, Configuration, DecksApi, Direction, EventsApi, FeedApi, FramesApi, Outcome, Problem, ProblemType, Reason,
  ResetReason, ResponseError, SessionsApi, type Card, type Event, type FeedRow,
} from "./deckd-client";

declare const process: { argv: string[]; exit(status: number): never };
declare const console: { error(value: unknown): void };

const deck = "story-typescript-fetch";

function assert(isTrue: boolean, text: string): asserts isTrue {
  if (!isTrue) throw new Error(`not true: ${text}`);
}

/** The problem with which a request was refused. */
async function refusal(request: Promise<unknown>): Promise<Problem> {
  try {
    await request;
  } catch (error) {
    if (error instanceof ResponseError) return error.response.json();
    throw error;
  }
  throw new Error("the request was not refused");
}

async function main(basePath: string) {
  const configuration = new Configuration({ basePath });
  const decks = new DecksApi(configuration), sessions = new SessionsApi(configuration);
  const events = new EventsApi(configuration), frames = new FramesApi(configuration), feed = new FeedApi(configuration);
  const cards: Card[] = ["lviv", "porto", "kyoto"].map((id) => ({ id, label: id, data: { tags: [id] } }));
  await decks.putDeck({ deck, body: { cards, layout: { visibleCount: 2 } } });
  const whole = await decks.getDeck({ deck });
  assert(whole.layout.type === "stack" && whole.layout.visibleCount === 2, "the layout is a stack");
  assert(whole.motion.resetSpring?.speed === 20, "the preset's spring");

  const { id, frame: first } = await sessions.createSession({
    sessionRequest: { deck, viewport: { width: 300, height: 400 } },
  });
  assert(first.cards[0]?.role === CardRole.Front, "the first card is in front");
  // The first direction wins a tie, so the order counts.
  const directions: Direction[] = first.cards[0].allowedDirections;
  assert(directions.join() === "left,right", "directions are a list");
  const dragged = await events.sendEvents({
    id, eventBody: { type: "drag", phase: "changed", translation: { x: 40, y: 6 } },
  });
  assert(dragged.frame?.drag?.reason === ResetReason.BelowThreshold, "the drag is below the threshold");
  const swipe: Event = { type: "swipe", direction: Direction.Right, id: "lviv" };
  const { results } = await events.sendEvents({ id, eventBody: { events: [swipe, { type: "swipe", direction: "up" }] } });
  assert(results[0]?.outcome === Outcome.Swiped, "the card is swiped");
  assert(results[1]?.reason === Reason.DirectionNotAllowed, "up is not allowed");
  // A repetition is not applied again, and the revert is the second change.
  for (const idempotencyKey of ['"revert"', '"revert"']) {
    const reverted = await events.sendEvents({ id, idempotencyKey, eventBody: { type: "revert", direction: "origin" } });
    assert(reverted.results[0]?.applied === true, "the swipe is reverted");
  }
  await events.sendEvents({ id, eventBody: swipe });
  const frame = await frames.getFrame({ id, since: 0, include: ["data", "labels"] });
  assert(frame.cards?.[0]?.id === "porto" && frame.cards[0].data.tags[0] === "porto", "the next card is in front");
  const panned = frame.notifications?.find((notification) => notification.type === "panBegan");
  assert(panned?.type === "panBegan" && panned.id === "lviv", "a notification has a type");
  const action = frame.accessibility?.actions[0]?.event;
  assert(action?.type === "swipe" && action.direction === "left", "an action has an event");
  assert((await frames.getPicture({ id })).startsWith("<svg"), "the picture is an SVG");

  const changed = await sessions.changeSession({
    id, sessionPatch: { motion: { resetSpring: null, snapSpring: { speed: 9 } } },
  });
  assert(changed.motion.resetSpring === null && changed.motion.snapSpring?.speed === 9, "the motion is changed");
  const { verdicts } = await sessions.getVerdicts({ id });
  assert(verdicts.length === 1 && verdicts[0]?.direction === "right", "there is one verdict");
  const rows: FeedRow[] = [];
  for (let after = "0"; ;) {
    const page = await feed.getVerdictFeed({ deck, after, limit: 1 });
    if (page.verdicts.length === 0) break;
    rows.push(...page.verdicts);
    after = page.cursor;
  }
  const types = rows.filter(({ session }) => session === id).map(({ type }) => type);
  assert(types.join() === "verdict,reverted,verdict", "the feed has each change");

  const problem = await refusal(decks.putDeck({ deck, body: { count: -1 } }));
  assert(problem.type === ProblemType.OutOfRange && problem.errors?.[0]?.pointer === "/count", "a problem is typed");
  const stale = await refusal(events.sendEvents({ id, ifMatch: '"99999"', eventBody: swipe }));
  assert(stale.status === 412 && stale.frame?.currentIndex === 1, "another version has the frame");
  await sessions.endSession({ id });
  assert((await refusal(sessions.getSession({ id }))).type === ProblemType.SessionEnded, "the session has ended");
  await decks.deleteDeck({ deck });
}

main(process.argv[2] ?? "").catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
