// The types of swipe-deck.js. docs/browser.md describes the element.

import type { DeckProblem, DeckSession, DeckView, EventResult, Face, FrameCard, Notification } from "./deckd.js";

type With<Union, Type> = Union extends { type: infer Types } ? (Type extends Types ? Union & { type: Type } : never) : never;
/** A notification of one type. */
export type OfType<Type extends Notification["type"]> = With<Notification, Type>;
/** What the page learns of a card that is shown. */
export interface ShownCard { id: string; label?: string | null; face: Face; data?: any }

/** The events of the element. They bubble. */
export interface SwipeDeckEvents {
  /** The session is shown. */
  ready: CustomEvent<{ view: DeckView; session: DeckSession }>;
  /** Other cards are shown, or the content of a card has changed. */
  cards: CustomEvent<ShownCard[]>;
  swipe: CustomEvent<OfType<"didSwipe">>;
  /** A swipe was taken back. */
  revert: CustomEvent<OfType<"didRewind">>;
  /** A reverted swipe is repeated. */
  redo: CustomEvent<OfType<"didRedo">>;
  tap: CustomEvent<OfType<"didSelect">>;
  /** The last card was swiped. */
  runout: CustomEvent<OfType<"didRunOut">>;
  /** Few cards are left, `remaining` of them. */
  needcards: CustomEvent<OfType<"needsCards">>;
  /** The server has ended the session. */
  ended: CustomEvent<DeckProblem>;
  /** A request has failed. */
  problem: CustomEvent<DeckProblem | Error>;
}

/** A deck as an element of a page: `<swipe-deck session="…" token="…">`. The properties reflect the attributes. */
export class SwipeDeckElement extends HTMLElement {
  /** The URL of the server; by default the one that has sent this module. */
  src: string | null;
  /** The id of a session. */
  session: string | null;
  /** The session's token: preferably its player token, or its spectator token together with `readOnly`. */
  token: string | null;
  /** The id of a deck, of which a session is created. It is ignored if there is a `session`. */
  deck: string | null;
  /** The accessible name of the deck. */
  label: string | null;
  /** The session is shown, and cannot be changed. */
  readOnly: boolean;
  /** Draws a card into an element of the shadow root, instead of slots and the template. */
  render: ((card: FrameCard, element: HTMLElement) => void) | null;
  /** The cards that are shown. */
  readonly cards: ShownCard[];
  /** The view in the element; null until the session is open. */
  readonly view: DeckView | null;
  /** The methods of the view. They do nothing while there is none. */
  swipe(...swipe: Parameters<DeckView["swipe"]>): Promise<EventResult | undefined> | undefined;
  flip(): Promise<EventResult | undefined> | undefined;
  revert(): Promise<EventResult | undefined> | undefined;
  redo(): Promise<EventResult | undefined> | undefined;
  /** Opens the session again. If the session of a `deck` has ended, creates another one. */
  reload(): void;
  addEventListener<Type extends keyof SwipeDeckEvents>(
    type: Type, listener: (this: SwipeDeckElement, event: SwipeDeckEvents[Type]) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener<Type extends keyof HTMLElementEventMap>(
    type: Type, listener: (this: SwipeDeckElement, event: HTMLElementEventMap[Type]) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Type extends keyof SwipeDeckEvents>(
    type: Type, listener: (this: SwipeDeckElement, event: SwipeDeckEvents[Type]) => void, options?: boolean | EventListenerOptions): void;
  removeEventListener<Type extends keyof HTMLElementEventMap>(
    type: Type, listener: (this: SwipeDeckElement, event: HTMLElementEventMap[Type]) => void, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap { "swipe-deck": SwipeDeckElement }
}
