// The types of deckd.js. Lengths are in CSS px, times in ms on the session's clock, angles in radians. docs/api.md and
// docs/openapi.yaml explain the members.

// The parts of the DOM library that a program without it, in Node for example, does not have. They add nothing to that library.
declare global {
  interface HTMLElement {}
  interface Node {}
  interface EventListenerOptions {}
  interface AddEventListenerOptions extends EventListenerOptions {}
  interface CustomEvent<T = any> extends Event { readonly detail: T }
}

// Values

export type Direction =
  | "left" | "right" | "up" | "down" | "topLeft" | "topRight" | "bottomLeft" | "bottomRight";
export type Side = "top" | "bottom" | "left" | "right" | "topLeft" | "topRight" | "bottomLeft" | "bottomRight";
export type Curve = "linear" | "ease" | "easeIn" | "easeOut" | "easeInOut";
export type Face = "front" | "back";
export interface Vector { x: number; y: number }
export interface Size { width: number; height: number }
export interface Rect extends Vector, Size {}
export interface Spring { bounciness: number; speed: number }
/** The angles of a direction, clockwise from `from` to `to`. */
export interface Sector { direction: Direction; from: number; to: number }

// Decks

export interface StackLayout {
  type: "stack"; visibleCount: number; topMargin: number; scale: number; from: Side | "none";
}
export interface StretchedLayout {
  type: "stretched"; visibleCount: number; topOffset: number; horizontalOffset: number; heightRatio: number;
  backgroundScale: number; backgroundMargin: number;
}
export interface FlipLayout {
  type: "flip"; cardWidth: number; cardHeight: number; spacing: number; scaleStep: number; perspective: number;
}
export type Layout = StackLayout | StretchedLayout | FlipLayout;
export interface Rules {
  allowedDirections: Direction[]; deniedDirections: Direction[]; dragDirections: Direction[] | null;
  dragAxis: "free" | "horizontal" | "vertical" | "dominant"; draggable: boolean; swipeThreshold: number;
  swipeThresholds: Partial<Record<Direction, number | null>>; velocityThreshold: number | null; pullBackCancels: boolean;
  whileAnimating: "proceed" | "queue" | "ignore"; refillAt: number; sectors: Sector[]; confirm: Direction[];
  confirmTimeout: number; undoDirections: Direction[]; playerEvents: PlayerEvent[]; lookahead: number;
}
/** The events that can be sent with a player token. */
export type PlayerEvent =
  | "drag" | "scroll" | "swipe" | "revert" | "redo" | "tap" | "press" | "flip" | "nudge" | "resize" | "tick";
export interface Motion {
  tracking: "finger" | "koloda"; rotationMax: number; rotationAngle: number; scaleMin: number; dragSpeed: number;
  backgroundDuration: number; appear: boolean; appearDuration: number; revertDuration: number; revertFadeDuration: number;
  resetSpring: Spring | null; resetDuration: number; resetEasing: Curve; backgroundSpring: Spring | null;
  moveBackground: boolean; exitFollowsFling: boolean; exitFollowsFinger: boolean; flipDuration: number;
  snapSpring: Spring; reduced: boolean;
}
export interface Appearance { opaque: number; semiTransparent: number; transparent: number; fadeNext: boolean }
export interface OverlayRange { start: number; end: number; curve: Curve }
export interface OverlaySettings extends OverlayRange {
  directions: Partial<Record<Direction, Partial<OverlayRange> | null>>;
}
export interface Card {
  id: string; data?: any; label?: string; allowedDirections?: Direction[]; deniedDirections?: Direction[];
  dragDirections?: Direction[]; draggable?: boolean; undoable?: boolean;
}
type Springs = Pick<Motion, "resetSpring" | "backgroundSpring" | "snapSpring">;
type MotionSettings =
  Partial<Omit<Motion, keyof Springs>> & { [Name in keyof Springs]?: Partial<Spring> | Exclude<Motion[Name], Spring> };
/** The settings of a deck. A missing one, also of a spring, has the value of the preset. */
export interface DeckSettings {
  loop?: boolean; layout?: Partial<StackLayout> | Partial<StretchedLayout> | Partial<FlipLayout>; rules?: Partial<Rules>;
  motion?: MotionSettings; appearance?: Partial<Appearance>; overlay?: Partial<OverlaySettings>;
}
export type Preset = "standard" | "koloda" | "koloda-background" | "flip-carousel";
export type Deck = DeckSettings & { preset?: Preset } & ({ cards: Card[]; count?: never } | { count: number; cards?: never });

type Patch<Members> = { [Name in keyof Members]?: Members[Name] | null };
type LayoutPatch<Kind extends Layout> = Patch<Omit<Kind, "type">> & { type?: Kind["type"] };
type MotionPatch = Patch<Omit<Motion, keyof Springs>> & { [Name in keyof Springs]?: Patch<Spring> | null };
type OverlayPatch = Patch<OverlayRange> & { directions?: Partial<Record<Direction, Patch<OverlayRange> | null>> | null };
/** A change of a deck. null removes a card or a card's member, and restores the preset's value of a setting. */
export interface DeckPatch {
  cards?: Record<string, Patch<Omit<Card, "id">> | null>; count?: number; loop?: boolean | null;
  layout?: LayoutPatch<StackLayout> | LayoutPatch<StretchedLayout> | LayoutPatch<FlipLayout> | null;
  rules?: Patch<Rules> | null; motion?: MotionPatch | null; appearance?: Patch<Appearance> | null; overlay?: OverlayPatch | null;
}

// Events

/** `at` is required with a manual clock. With the server's clock the default is now. */
interface Timed { at?: number }
/** `id` is the expected front card. If another card is in front, the event is refused. */
interface OnCard extends Timed { id?: string }

type Pan<Members> = ({ phase: "began" | "ended" | "cancelled" } & Partial<Members>) | ({ phase: "changed" } & Members);
export type DragEvent =
  OnCard & { type: "drag"; location?: Vector; velocity?: Vector } & Pan<{ translation: Vector }>;
export type ScrollEvent = Timed & { type: "scroll"; velocity?: number } & Pan<{ offset: number }>;
export interface TapEvent extends OnCard { type: "tap"; index?: number; count?: number }
export interface PressEvent extends OnCard { type: "press"; index?: number }
export interface FlipEvent extends OnCard { type: "flip" }
export interface NudgeEvent extends OnCard { type: "nudge"; direction: Direction }
export interface SwipeEvent extends OnCard {
  type: "swipe"; direction: Direction; force?: boolean; duration?: number; easing?: Curve; toward?: Vector;
}
export interface ConfirmEvent extends OnCard { type: "confirm" }
export interface DenyEvent extends OnCard { type: "deny" }
export interface RevertEvent extends Timed { type: "revert"; direction?: Direction | "origin"; count?: number }
export interface RedoEvent extends Timed { type: "redo"; count?: number }
export interface MoveEvent extends Timed { type: "move"; to: number }
export interface SendToBackEvent extends OnCard { type: "sendToBack" }
export interface PutBackEvent extends Timed { type: "putBack" }
export interface ReloadEvent extends Timed { type: "reload" }
export interface ResetEvent extends Timed { type: "reset" }
export type InsertEvent = Timed & { type: "insert"; index: number } &
  ({ cards: Card[]; count?: never } | { count: number; cards?: never });
export interface RemoveEvent extends Timed { type: "remove"; from: number; to: number }
export interface RefreshEvent extends Timed { type: "refresh"; from: number; to: number }
export interface ShuffleEvent extends Timed { type: "shuffle"; seed: number }
export interface AppearEvent extends Timed { type: "appear" }
export type ResizeEvent =
  Timed & { type: "resize" } & ({ viewport: Size; screen?: Size } | { viewport?: Size; screen: Size });
export interface TickEvent extends Timed { type: "tick" }
export type DeckEvent =
  | DragEvent | ScrollEvent | TapEvent | PressEvent | FlipEvent | NudgeEvent | SwipeEvent | ConfirmEvent | DenyEvent
  | RevertEvent | RedoEvent | MoveEvent | SendToBackEvent | PutBackEvent | ReloadEvent | ResetEvent | InsertEvent
  | RemoveEvent | RefreshEvent | ShuffleEvent | AppearEvent | ResizeEvent | TickEvent;

export type Refusal =
  | "no-card" | "not-front-card" | "not-draggable" | "direction-not-allowed" | "direction-denied" | "animating" | "dragging"
  | "pending" | "nothing-pending" | "not-dragging" | "nothing-to-revert" | "not-undoable" | "nothing-to-redo"
  | "nothing-to-put-back" | "index-out-of-range" | "too-many-cards" | "duplicate-id" | "layout-does-not-scroll"
  | "layout-scrolls";
export type ResetReason =
  | "below-threshold" | "direction-denied" | "direction-not-allowed" | "pulled-back" | "cancelled" | "not-confirmed"
  | "nothing-to-revert" | "not-undoable";
interface AnyResult { type: DeckEvent["type"]; version: number; direction?: Direction; index?: number }
export interface AppliedResult extends AnyResult {
  applied: true; outcome?: "swiped" | "pending" | "reverted" | "scrolled" | "queued"; reason?: never;
}
/** The card goes back. */
export interface ResetResult extends AnyResult { applied: true; outcome: "reset"; reason: ResetReason }
export interface RefusedResult extends AnyResult { applied: false; outcome?: never; reason: Refusal }
export type EventResult = AppliedResult | ResetResult | RefusedResult;

// Notifications

interface Numbered { seq: number; at: number }
interface OfCard { index: number; id: string }
/** The card is dragged. It has no number. */
export interface DraggedNotification extends OfCard {
  type: "dragged"; seq?: never; at: number; direction: Direction; percentage: number;
}
export interface CardNotification extends Numbered, OfCard {
  type: "panBegan" | "panFinished" | "didReset" | "didShow" | "didRewind" | "didPress";
}
export interface TapNotification extends Numbered, OfCard { type: "didSelect"; count: number }
export interface FlipNotification extends Numbered, OfCard { type: "didFlip"; face: Face }
export interface DirectionNotification extends Numbered, OfCard {
  type: "thresholdCrossed" | "thresholdUncrossed" | "didSwipe" | "didRedo" | "needsConfirmation"; direction: Direction;
}
export interface DeckNotification extends Numbered { type: "didRunOut" | "didLoop" | "didAppear" }
export interface NeedsCardsNotification extends Numbered { type: "needsCards"; remaining: number }
export type Notification =
  | DraggedNotification | CardNotification | TapNotification | FlipNotification | DirectionNotification | DeckNotification
  | NeedsCardsNotification;

// Frames

export interface Overlay { direction: Direction; progress: number; alpha: number }
export interface FrameCard {
  index: number; id: string; role: "front" | "background" | "leaving" | "returning"; z: number; frame: Rect; face: Face;
  matrix?: number[]; matrix3d?: number[]; anchor: Vector; contentScale: Vector; opacity: number; interactive: boolean;
  overlay: Overlay | null; allowedDirections: Direction[]; data?: any; label?: string | null; position?: string | null;
}
interface AnyDrag { translation: Vector; direction?: Direction; percentage: number; thresholdPercentage: number }
/** The drag in progress, and the outcome of a release now. */
export type Drag =
  | (AnyDrag & { outcome: "swiped" | "pending" | "reverted"; reason?: never })
  | (AnyDrag & { outcome: "reset"; reason: ResetReason });
/** A swipe that must be confirmed or denied. */
export interface Pending { index: number; id: string; direction: Direction; since: number; until: number }
interface AnyStep { card: number | null; z: number | null; start: number; duration: number; easing: string }
type Step<Property extends string, Value> = AnyStep & { property: Property; from: Value; to: Value };
/** The animation of one property. */
export type MotionStep =
  | Step<"translation", Vector> | Step<"frame", Rect>
  | Step<"rotation" | "scale" | "opacity" | "overlayAlpha" | "turn" | "scroll", number>;
export interface Accessibility {
  label: string; position: string; announcement: string; actions: { label: string; key: string; event: DeckEvent }[];
}
export interface Frame {
  session: string; version: number; at: number; currentIndex: number; cardCount: number; visibleCount: number;
  loop: boolean; exhausted: boolean; dragging: boolean; drag: Drag | null; pending: Pending | null; animating: boolean;
  settlesAt: number | null; canRevert: number; canRedo: number; cards: FrameCard[]; lastNotification: number;
  notifications?: Notification[]; motion?: MotionStep[]; accessibility?: Accessibility;
}
/** A frame of the engine. */
export interface EngineFrame extends Frame {
  /** How many cards are not in `cards`, because the page has not read them yet. */
  unread?: number;
}

// The engine

/** The engine did nothing. `code` says why; `needs-server`: only the server can apply the event. */
export class EngineError extends Error {
  constructor(code: string);
  readonly code: "invalid" | "time-runs-backwards" | "needs-server" | "closed" | "unknown-format" | "too-large";
}
/**
 * What a client knows of the cards of a snapshot: the content of each card by its number. If this is partial, as in a snapshot of the
 * server, other cards are left out of frames. Otherwise they have their numbers as ids.
 */
export interface SnapshotContent {
  session?: string; cards?: Record<number, { id: string; label?: string; data?: unknown }>; isPartial?: boolean;
}
/** What an event did. `verdicts` are those that it gave or reverted. */
export interface EngineOutcome {
  result: EventResult; verdicts: (Verdict & { reverted: boolean })[]; notifications: Notification[];
}
/** A session that runs in the engine. Its members throw `EngineError`. */
export interface EngineSession {
  /** The time of the last event. */
  readonly now: number;
  /** Applies an event with its time. */
  apply(event: DeckEvent): EngineOutcome;
  /** Moves the clock to a time, and returns the notifications up to then. */
  advance(at: number): Notification[];
  /** The frame at a time if no event comes until then. */
  frame(at?: number, include?: { labels?: boolean; data?: boolean }): EngineFrame;
  /** A session that continues from here independently. */
  copy(): EngineSession;
  /** Frees the memory of the session. It cannot be used any more. */
  close(): void;
}
/** The engine of the server, as WebAssembly. It needs no page, and runs in workers, Node and Deno, too. */
export class DeckEngine {
  private constructor();
  /** Loads the engine from the URL or the bytes of `engine.wasm`. */
  static load(source: string | URL | ArrayBufferView | ArrayBuffer): Promise<DeckEngine>;
  /** Continues a session from the engine's part of a snapshot. */
  open(snapshot: Uint8Array | ArrayBuffer, content?: SnapshotContent): EngineSession;
}

/** The parts of a snapshot of `GET /v1/sessions/{id}/snapshot`. */
export interface OpenedSnapshot {
  /** The session, which continues from here. */
  state: EngineSession;
  /** The time on the server's clock when the snapshot was made. */
  time: number;
  /** The content of the cards, with that of `known` as far as it is still true. */
  cards: SnapshotContent["cards"];
  /** The content of the cards that this snapshot has. */
  read: SnapshotContent["cards"];
  cardsRevision: number;
}
/** Opens a snapshot of a session. Throws an `EngineError` if it is not whole, or of another release. */
export function openSnapshot(engine: DeckEngine, bytes: Uint8Array, known?: Partial<OpenedSnapshot>): OpenedSnapshot;
/** The card of a frame that is in front, or comes back to the front. */
export function frontOf(frame: Frame | null | undefined): FrameCard | undefined;
/** A random `Idempotency-Key`. */
export function newKey(): string;

// The client

/** The error of a request: a problem document (RFC 9457), or status 0 if there was no response. */
export class DeckProblem extends Error {
  constructor(document: Partial<DeckProblem>);
  readonly status: number;
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  /** The path of the request. */
  readonly instance?: string;
  readonly errors?: { pointer: string; detail: string }[];
  /** For 412 of a session: the current frame. */
  readonly frame?: Frame;
  /** For 410 of the feed: the newest cursor. */
  readonly cursor?: string;
  readonly retryAfter?: number;
  /** Whether the same request can succeed later. */
  readonly isTransient: boolean;
}

export interface RequestReport {
  method: string; url: string; headers: Record<string, string>; body?: string; status: number;
}

/** Where a client saves what must survive a reload of the page. `sessionStorage` and `DeckDatabase` are such storages. */
export interface DeckStorage {
  getItem(name: string): string | null | Promise<string | null>;
  setItem(name: string, value: string): void | Promise<void>;
  removeItem(name: string): void | Promise<void>;
}
/** A storage in IndexedDB. It has room for more than `sessionStorage`, and all tabs share it. So only one tab should send events to a session. */
export class DeckDatabase implements DeckStorage {
  constructor(name?: string);
  getItem(name: string): Promise<string | null>;
  setItem(name: string, value: string): Promise<void>;
  removeItem(name: string): Promise<void>;
}

/**
 * How often and how long something is attempted while the server or the network is away. A POST has `key` as its `Idempotency-Key`; by
 * default a random one. The defaults are 6 `attempts` and a `timeout` of 15,000 ms. `onFailure` is called before each further
 * attempt, with the number of failures before this one.
 */
export interface AttemptOptions {
  signal?: AbortSignal; timeout?: number; attempts?: number; key?: string; onFailure?: (problem: DeckProblem, failures: number) => void;
}
export interface RequestOptions extends AttemptOptions {
  body?: object; query?: Record<string, any>; headers?: Record<string, string>; token?: string;
}

export interface SessionRequest {
  deck: string | Deck; viewport: Size; screen?: Size; startIndex?: number; appear?: boolean; clock?: "server" | "manual";
  record?: boolean; user?: string | null; metadata?: any;
}

/** A deckd server. `key` is an API key, if the server has API keys. */
export class DeckClient {
  constructor(options?: {
    /** The URL of the server; by default the one that has sent the module. */
    baseURL?: string;
    key?: string | null; onRequest?: ((request: RequestReport) => void) | null;
    /** Where events that wait survive a reload of the page: `sessionStorage`, unless it is null or another one. */
    storage?: DeckStorage | null;
    /** How many events may wait; 1,000 by default. */
    queueLength?: number;
    /** How many cards are read ahead, so that they can be shown without a network; 100 by default, at most 1,000. */
    lookAhead?: number;
  });
  /** The engine, which all sessions share. It is loaded when it is first used. */
  readonly engine: Promise<DeckEngine>;
  key?: string | null;
  decks: {
    list(query?: { limit?: number; cursor?: string }): Promise<any>;
    get(id: string): Promise<any>;
    put(id: string, deck: Deck): Promise<any>;
    /** Changes settings and cards, which are named by their ids; null removes a card. */
    patch(id: string, patch: DeckPatch): Promise<any>;
    append(id: string, cards: { cards: Card[] } | { count: number }): Promise<any>;
    delete(id: string): Promise<void>;
  };
  sessions: {
    /** Creates a session. The same request with the same `key` creates no other one. */
    create(request: SessionRequest, options?: AttemptOptions): Promise<DeckSession>;
    /** An existing session: with its token, its player token or its spectator token. */
    open(seat: { id: string; token?: string }, options?: Omit<AttemptOptions, "key">): Promise<DeckSession>;
  };
  /** Sends any request of docs/api.md. A POST or PATCH has an `Idempotency-Key`, unless it is sent only once. */
  request(method: string, path: string, options?: RequestOptions): Promise<{ status: number; headers: Headers; body: any }>;
}

export interface SessionInfo {
  id: string; token?: string; playerToken?: string; spectatorToken?: string; createdAt: string; deck?: string;
  clock: "server" | "manual"; record: boolean; user?: string; metadata?: any; viewport: Size; screen: Size; loop: boolean; layout: Layout; rules: Rules; motion: Motion;
  appearance: Appearance; overlay: OverlaySettings;
}
/** Changed settings. null restores the value of the preset. */
export interface SessionPatch {
  viewport?: Size; screen?: Size; loop?: boolean | null; rules?: Patch<Rules> | null; motion?: MotionPatch | null;
  appearance?: Patch<Appearance> | null; overlay?: OverlayPatch | null;
}

export type Delivery = "stream" | "longpoll" | "poll";
export interface WatchOptions { delivery?: Delivery; interval?: number; signal?: AbortSignal }

/** The events of a session. */
export interface SessionEvents {
  frame: CustomEvent<Frame>;
  /** The server's session is another one than predicted: what was visible, and what is from now on. */
  correction: CustomEvent<{ before: Frame; after: Frame }>;
  notification: CustomEvent<Notification>;
  /** A result with a `reason`: the rules refused an event, or a card goes back. It has the event, and its `id` if that has one. */
  refused: CustomEvent<(ResetResult | RefusedResult) & { id?: string; event?: object }>;
  problem: CustomEvent<DeckProblem | Error>;
  /** Whether the server can be reached. */
  connection: CustomEvent<boolean>;
  /** The server has ended the session: it was deleted, or not used for too long. The detail is the server's answer, 404 or 410. */
  ended: CustomEvent<DeckProblem>;
}
type Listener<Type extends keyof SessionEvents> =
  | ((this: DeckSession, event: SessionEvents[Type]) => void) | { handleEvent(event: SessionEvents[Type]): void };

export class DeckSession extends EventTarget {
  private constructor();
  readonly id: string;
  readonly info: SessionInfo;
  readonly frame: EngineFrame | null;
  readonly isConnected: boolean;
  /** Whether the server has ended the session. `send` is rejected then. */
  readonly isEnded: boolean;
  /** An estimate of the time on the session's clock. It runs backwards only if the server's clock was set back. */
  readonly now: number;
  /** How many events wait for the server. */
  readonly waitingCount: number;
  /** Whether the engine is loaded, so that events are applied on the page at once. */
  readonly isPredicting: boolean;
  /** What is visible at a time, if no event comes until then. */
  frameAt(time: number): EngineFrame;
  addEventListener<Type extends keyof SessionEvents>(
    type: Type, listener: Listener<Type> | null, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Type extends keyof SessionEvents>(
    type: Type, listener: Listener<Type> | null, options?: boolean | EventListenerOptions): void;
  tell<Type extends keyof SessionEvents>(type: Type, detail: SessionEvents[Type]["detail"]): void;
  /** Loads the session with its settings into `info`. */
  get(options?: RequestOptions): Promise<SessionInfo>;
  /** Changes settings or sizes of the session. */
  patch(settings: SessionPatch, options?: Omit<AttemptOptions, "key">): Promise<SessionInfo>;
  /** Ends the session on the server, and then here: there is the event `ended`. */
  delete(): Promise<void>;
  /**
   * Stops all activity of this object, except a request with events that is in progress. It has no further events, and `send` fails
   * with an `AbortError`. The session continues, and events that wait are sent by the next object for it that has the same storage.
   */
  close(): void;
  /** The server's frame. */
  refresh(options?: RequestOptions): Promise<Frame>;
  verdicts(query?: { after?: number; limit?: number }): Promise<Verdict[]>;
  /**
   * Applies one event, or several in order, on the page at once, and sends them until they are answered. The results are the
   * server's. A single event that the rules refuse is not sent. While the server cannot be reached, events wait with their times.
   */
  send(events: DeckEvent | DeckEvent[]): Promise<EventResult[]>;
  /** Moves the front card with a finger. Only the newest move is sent, and it is not sent again. The result is the page's. */
  move(event: DragEvent): EventResult | null;
  /**
   * Receives all changes of the session until it is closed: with Server-Sent Events (`stream`), with requests that wait
   * (`longpoll`), or every `interval` ms (`poll`). A DeckView calls this. With HTTP/1.1 at most four sessions have a stream or a request that
   * waits, and the others poll once a second.
   */
  watch(options?: WatchOptions): Promise<void>;
}
/** A swipe that was not reverted. */
export interface Verdict { seq: number; at: number; index: number; id: string; direction: Direction }

export interface ViewOptions extends Omit<WatchOptions, "signal"> {
  /** The accessible name of the deck. */
  label?: string;
  isReadOnly?: boolean;
  /** Draws a card into an element, when it appears, and when its `data`, `label` or `face` changes. An error is reported as an uncaught one. */
  render?: (card: FrameCard, element: HTMLElement) => void;
  /** The element of `render` was removed from the page. */
  remove?: (element: HTMLElement) => void;
  /** Shown when the server has ended the session: a string, or a node of the page. */
  ended?: string | Node;
}

/** Shows a session in an element, which must have a size and a `position`. `render` draws the content of a card. */
export class DeckView {
  constructor(element: HTMLElement, session: DeckSession, options?: ViewOptions);
  readonly element: HTMLElement;
  readonly session: DeckSession;
  /** What is shown. */
  readonly frame: EngineFrame | null;
  /**
   * Swipes the card that is in front. The result is refused with `no-card` if there is none. It is undefined, here and below, if the
   * event could not be sent; the session's event `problem` says why.
   */
  swipe(direction: Direction, options?: { force?: boolean; duration?: number; easing?: Curve; toward?: Vector }): Promise<EventResult | undefined>;
  /** Turns the card that is in front over. */
  flip(): Promise<EventResult | undefined>;
  /** Takes the last swipe back. */
  revert(): Promise<EventResult | undefined>;
  /** Does a reverted swipe again. */
  redo(): Promise<EventResult | undefined>;
  /**
   * Stops showing the session. The element is empty then, and has the attributes that it had before. A drag in progress is cancelled.
   * The session continues.
   */
  close(): void;
}
