// The types of deckd.js. Lengths are CSS px, times ms on the session's clock, angles radians. What the server takes and answers is in docs/api.md and docs/openapi.yaml.

export type Direction =
  | "left" | "right" | "up" | "down" | "topLeft" | "topRight" | "bottomLeft" | "bottomRight";
export interface Vector { x: number; y: number }
export interface Size { width: number; height: number }
export interface Rect extends Vector, Size {}

export type Curve = "linear" | "ease" | "easeIn" | "easeOut" | "easeInOut";
export interface Spring { bounciness: number; speed: number }
export interface Sector { direction: Direction; from: number; to: number }

export interface Motion {
  tracking: "finger" | "koloda"; rotationMax: number; rotationAngle: number; scaleMin: number; reduced: boolean;
  resetSpring: Spring | null; resetDuration: number; resetEasing: Curve; exitFollowsFling: boolean;
  exitFollowsFinger: boolean; flipDuration: number;
  [more: string]: unknown;
}
export interface Rules {
  allowedDirections: Direction[]; deniedDirections: Direction[]; dragDirections: Direction[] | null;
  dragAxis: "free" | "horizontal" | "vertical" | "dominant"; swipeThreshold: number;
  swipeThresholds?: Partial<Record<Direction, number>>; velocityThreshold: number | null; pullBackCancels: boolean;
  sectors: Sector[]; confirm: Direction[]; confirmTimeout: number; undoDirections: Direction[];
  [more: string]: unknown;
}
export interface OverlayRange { start: number; end: number; curve: Curve }
export interface OverlaySettings extends OverlayRange { directions?: Partial<Record<Direction, Partial<OverlayRange>>> }

export interface DragTransform { translation: Vector; rotation: number; scale: number }
export interface DragReading { direction: Direction | null; percentage: number }
export interface Overlay { direction: Direction; progress: number; alpha: number }

/** How the front card is drawn while a finger holds it, about the touched point. */
export function dragTransform(translation: Vector, location: Vector, size: Size, motion: Partial<Motion>): DragTransform;
/** The nearest allowed direction, and the part of the way to the edge of `extent` (the card) that the drag has gone. */
export function dragReading(translation: Vector, size: Size, allowed: Direction[], extent?: Size): DragReading;
/** What half of is the whole way: the card, or under Koloda's tracking the box around it as it is drawn. */
export function dragExtent(size: Size, transform: DragTransform, motion: Partial<Motion>): Size;
/** The overlay of a drag; null without a direction. */
export function overlay(reading: DragReading, rules: Partial<Rules>, settings: OverlaySettings): Overlay | null;
/** The part of a finger's way that a card follows: what the rules' `dragAxis` and `dragDirections` leave of it. */
export function dragWay(way: Vector, rules: Partial<Rules>): Vector;
/** The direction in which letting go swipes, or null: the card goes back. */
export function release(reading: DragReading, velocity: Vector, rules: Partial<Rules>): Direction | null;

export interface FrameCard {
  index: number; id: string; role: "front" | "background" | "leaving" | "returning"; z: number; frame: Rect;
  face: "front" | "back"; matrix?: number[]; matrix3d?: number[]; anchor: Vector; contentScale: Vector; opacity: number; interactive: boolean;
  overlay: Overlay | null; allowedDirections: Direction[]; data?: any; label?: string | null; position?: string;
}
export interface Frame {
  session: string; version: number; at: number; currentIndex: number; cardCount: number; visibleCount: number;
  loop: boolean; exhausted: boolean; dragging: boolean; drag: object | null; pending: Pending | null; animating: boolean;
  settlesAt: number | null; canRevert: number; canRedo: number; cards: FrameCard[]; lastNotification: number;
  motion?: object[];
  accessibility?: {
    label: string; position: string; announcement: string;
    actions: { label: string; key: string; event: DeckEvent }[];
  };
}
/** A swipe that waits for `confirm` or `deny`. */
export interface Pending { index: number; id: string; direction: Direction; since: number; until: number }
export interface DeckEvent { type: string; at?: number; [member: string]: unknown }
export interface EventResult {
  type: string; applied: boolean; version: number; reason?: string; outcome?: string; direction?: Direction; index?: number;
}
export interface Verdict { seq: number; at: number; index: number; id: string; direction: Direction }
export interface SessionInfo {
  id: string; token?: string; spectatorToken?: string; createdAt: string; deck?: string; clock: "server" | "manual";
  record: boolean; viewport: Size; screen: Size; loop: boolean; layout: { type: string; [more: string]: unknown };
  rules: Rules; motion: Motion; appearance: Record<string, unknown>; overlay: OverlaySettings;
}

/** Why a request was not answered as asked: a problem document (RFC 9457), or status 0 if there was no answer. */
export class DeckProblem extends Error {
  constructor(document: Partial<DeckProblem>);
  readonly status: number;
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: { pointer: string; detail: string }[];
  readonly retryAfter?: number;
  /** Whether the same request may be answered later. */
  readonly isTransient: boolean;
}

export interface RequestReport {
  method: string; url: string; headers: Record<string, string>; body?: string; status: number;
}

/** `attempts` are 6, `timeout` is 15,000 ms; `onFailure` hears of each failure after which there is another attempt. */
export interface RequestOptions {
  body?: object; query?: Record<string, any>; headers?: Record<string, string>; token?: string; signal?: AbortSignal;
  timeout?: number; attempts?: number; onFailure?: (problem: DeckProblem) => void;
}

/** A deckd server. `key` is an API key, where the server has some. */
export class DeckClient {
  constructor(options?: {
    baseURL?: string; key?: string | null; onRequest?: ((request: RequestReport) => void) | null;
  });
  key?: string | null;
  decks: {
    list(query?: { limit?: number; cursor?: string }): Promise<any>;
    get(id: string): Promise<any>;
    put(id: string, deck: object): Promise<any>;
    delete(id: string): Promise<void>;
  };
  sessions: {
    create(request: { deck: string | object; viewport: Size; screen?: Size; [member: string]: unknown }): Promise<DeckSession>;
    /** An existing session: with its token, or a spectator's. */
    open(seat: { id: string; token?: string }): Promise<DeckSession>;
  };
  /** Anything else that docs/api.md has. A POST has an `Idempotency-Key`, unless it is sent only once. */
  request(method: string, path: string, options?: RequestOptions): Promise<{ status: number; headers: Headers; body: any }>;
}

export type Delivery = "stream" | "longpoll" | "poll";
export interface WatchOptions { delivery?: Delivery; interval?: number; signal?: AbortSignal }

/** Events: `frame`, `notification`, `refused`, `problem`, `connection`; each a CustomEvent with its matter as `detail`. */
export class DeckSession extends EventTarget {
  private constructor();
  readonly id: string;
  readonly info: SessionInfo;
  readonly frame: Frame | null;
  readonly isConnected: boolean;
  /** The time on the session's clock as far as it is known, and never after it. */
  readonly now: number;
  tell(type: string, detail: unknown): void;
  /** Reads the session with its settings into `info`. */
  get(): Promise<SessionInfo>;
  /** Changes `rules`, `motion`, `viewport` and so on while the session runs. */
  patch(settings: object): Promise<SessionInfo>;
  /** Ends the session on the server. */
  delete(): Promise<void>;
  /** Stops everything that this object does; the session stays. */
  close(): void;
  refresh(): Promise<Frame>;
  verdicts(query?: { after?: number; limit?: number }): Promise<Verdict[]>;
  /**
   * Does one event, or several in order, once. While the network is away they wait, at most 256, with the times at which
   * they were given, and are sent together when it is back.
   */
  send(events: DeckEvent | DeckEvent[]): Promise<EventResult[]>;
  sendMove(event: DeckEvent): Promise<{ results: EventResult[]; frame: Frame }>;
  /**
   * Hears of everything that happens to the session until it is closed: by Server-Sent Events (`stream`), by requests that
   * wait (`longpoll`), or every `interval` ms (`poll`). A DeckView does this by itself.
   */
  watch(options?: WatchOptions): Promise<void>;
}

export interface ViewOptions extends WatchOptions {
  label?: string;
  isReadOnly?: boolean;
  render?: (card: FrameCard, element: HTMLElement) => void;
}

/** Shows a session in an element, which has to have a size and a `position`. `render` draws what a card shows. */
export class DeckView {
  constructor(element: HTMLElement, session: DeckSession, options?: ViewOptions);
  readonly element: HTMLElement;
  readonly session: DeckSession;
  readonly frame: Frame | null;
  close(): void;
}
