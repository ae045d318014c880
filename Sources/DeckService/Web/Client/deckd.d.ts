// The types of deckd.js. Lengths are in CSS px, times in ms on the session's clock, angles in radians. docs/api.md and
// docs/openapi.yaml explain the members.

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
/** The settings of a deck. A missing one has the value of the preset. */
export interface DeckSettings {
  loop?: boolean; layout?: Partial<StackLayout> | Partial<StretchedLayout> | Partial<FlipLayout>; rules?: Partial<Rules>;
  motion?: Partial<Motion>; appearance?: Partial<Appearance>; overlay?: Partial<OverlaySettings>;
}
export type Preset = "standard" | "koloda" | "koloda-background" | "flip-carousel";
export type Deck = DeckSettings & { preset?: Preset } & ({ cards: Card[]; count?: never } | { count: number; cards?: never });

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
  overlay: Overlay | null; allowedDirections: Direction[]; data?: any; label?: string | null; position?: string;
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

// Formulas

export interface DragTransform { translation: Vector; rotation: number; scale: number }
export interface DragReading { direction: Direction | null; percentage: number }

/** The transform of the front card during a drag, about the touched point. */
export function dragTransform(translation: Vector, location: Vector, size: Size, motion: Partial<Motion>): DragTransform;
/** The nearest allowed direction, and the distance relative to the edge of `extent` (the card). */
export function dragReading(translation: Vector, size: Size, allowed: Direction[], extent?: Size): DragReading;
/** The size whose half is the full distance: the card or, with Koloda's tracking, its bounding box as drawn. */
export function dragExtent(size: Size, transform: DragTransform, motion: Partial<Motion>): Size;
/** The overlay of a drag; null without a direction. */
export function overlay(reading: DragReading, rules: Partial<Rules>, settings: OverlaySettings): Overlay | null;
/** The translation that a card follows, after the rules' `dragAxis` and `dragDirections`. */
export function dragWay(way: Vector, rules: Partial<Rules>): Vector;
/** The direction of the swipe if the card is released now; null: the card goes back. */
export function release(reading: DragReading, velocity: Vector, rules: Partial<Rules>): Direction | null;

// The client

/** The error of a request: a problem document (RFC 9457), or status 0 if there was no response. */
export class DeckProblem extends Error {
  constructor(document: Partial<DeckProblem>);
  readonly status: number;
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: { pointer: string; detail: string }[];
  readonly retryAfter?: number;
  /** Whether the same request can succeed later. */
  readonly isTransient: boolean;
}

export interface RequestReport {
  method: string; url: string; headers: Record<string, string>; body?: string; status: number;
}

/** The defaults are 6 `attempts` and a `timeout` of 15,000 ms. `onFailure` is called before each further attempt. */
export interface RequestOptions {
  body?: object; query?: Record<string, any>; headers?: Record<string, string>; token?: string; signal?: AbortSignal;
  timeout?: number; attempts?: number; onFailure?: (problem: DeckProblem) => void;
}

export interface SessionRequest {
  deck: string | Deck; viewport: Size; screen?: Size; startIndex?: number; appear?: boolean; clock?: "server" | "manual";
  record?: boolean; user?: string; metadata?: any;
}

/** A deckd server. `key` is an API key, if the server has API keys. */
export class DeckClient {
  constructor(options?: {
    baseURL?: string; key?: string | null; onRequest?: ((request: RequestReport) => void) | null;
  });
  key?: string | null;
  decks: {
    list(query?: { limit?: number; cursor?: string }): Promise<any>;
    get(id: string): Promise<any>;
    put(id: string, deck: Deck): Promise<any>;
    delete(id: string): Promise<void>;
  };
  sessions: {
    create(request: SessionRequest): Promise<DeckSession>;
    /** An existing session: with its token, its player token or its spectator token. */
    open(seat: { id: string; token?: string }): Promise<DeckSession>;
  };
  /** Sends any request of docs/api.md. A POST has an `Idempotency-Key`, unless it is sent only once. */
  request(method: string, path: string, options?: RequestOptions): Promise<{ status: number; headers: Headers; body: any }>;
}

export interface SessionInfo {
  id: string; token?: string; playerToken?: string; spectatorToken?: string; createdAt: string; deck?: string;
  clock: "server" | "manual"; record: boolean; user?: string; metadata?: any; viewport: Size; screen: Size; loop: boolean; layout: Layout; rules: Rules; motion: Motion;
  appearance: Appearance; overlay: OverlaySettings;
}
type Clearable<Settings> = { [Name in keyof Settings]?: Settings[Name] | null };
/** Changed settings. null restores the value of the preset. */
export interface SessionPatch {
  viewport?: Size; screen?: Size; loop?: boolean | null; rules?: Clearable<Rules> | null; motion?: Clearable<Motion> | null;
  appearance?: Clearable<Appearance> | null; overlay?: Clearable<OverlaySettings> | null;
}

export type Delivery = "stream" | "longpoll" | "poll";
export interface WatchOptions { delivery?: Delivery; interval?: number; signal?: AbortSignal }

/** The events of a session. */
export interface SessionEvents {
  frame: CustomEvent<Frame>;
  notification: CustomEvent<Notification>;
  /** A result with a `reason`: the rules refused an event, or a card goes back. */
  refused: CustomEvent<ResetResult | RefusedResult>;
  problem: CustomEvent<DeckProblem>;
  /** Whether the server can be reached. */
  connection: CustomEvent<boolean>;
}
type Listener<Type extends keyof SessionEvents> =
  | ((this: DeckSession, event: SessionEvents[Type]) => void) | { handleEvent(event: SessionEvents[Type]): void };

export class DeckSession extends EventTarget {
  private constructor();
  readonly id: string;
  readonly info: SessionInfo;
  readonly frame: Frame | null;
  readonly isConnected: boolean;
  /** An estimate of the time on the session's clock, which is never later than the real one. */
  readonly now: number;
  addEventListener<Type extends keyof SessionEvents>(
    type: Type, listener: Listener<Type> | null, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Type extends keyof SessionEvents>(
    type: Type, listener: Listener<Type> | null, options?: boolean | EventListenerOptions): void;
  tell<Type extends keyof SessionEvents>(type: Type, detail: SessionEvents[Type]["detail"]): void;
  /** Loads the session with its settings into `info`. */
  get(): Promise<SessionInfo>;
  /** Changes settings or sizes of the session. */
  patch(settings: SessionPatch): Promise<SessionInfo>;
  /** Ends the session on the server. */
  delete(): Promise<void>;
  /** Stops all activity of this object. The session continues. */
  close(): void;
  refresh(): Promise<Frame>;
  verdicts(query?: { after?: number; limit?: number }): Promise<Verdict[]>;
  /**
   * Applies one event, or several in order, once. While the server cannot be reached, at most 256 events wait with their
   * times. Later they are sent together.
   */
  send(events: DeckEvent | DeckEvent[]): Promise<EventResult[]>;
  sendMove(event: DeckEvent): Promise<{ results: EventResult[]; notifications: Notification[]; frame: Frame }>;
  /**
   * Receives all changes of the session until it is closed: with Server-Sent Events (`stream`), with requests that wait
   * (`longpoll`), or every `interval` ms (`poll`). A DeckView calls this.
   */
  watch(options?: WatchOptions): Promise<void>;
}
/** A swipe that was not reverted. */
export interface Verdict { seq: number; at: number; index: number; id: string; direction: Direction }

export interface ViewOptions extends WatchOptions {
  label?: string;
  isReadOnly?: boolean;
  render?: (card: FrameCard, element: HTMLElement) => void;
}

/** Shows a session in an element, which must have a size and a `position`. `render` draws the content of a card. */
export class DeckView {
  constructor(element: HTMLElement, session: DeckSession, options?: ViewOptions);
  readonly element: HTMLElement;
  readonly session: DeckSession;
  readonly frame: Frame | null;
  close(): void;
}
