import type { Representation } from './send-representation.ts';

/** A body that is not JSON: text, a page, or the bytes of a file. */
export type Content = string | Uint8Array | Representation;

const encoder = new TextEncoder();

/** A body whose JSON is written in advance. It can be kept and sent again. */
export class Rendered<Body> {
  readonly bytes: Uint8Array;
  /** Exists only as a type: the body that the bytes are the JSON of. */
  declare readonly body: Body;

  constructor(body: Body) {
    // Unlike a small Buffer, these bytes are in no pool, which would stay in memory with them.
    this.bytes = encoder.encode(JSON.stringify(body));
  }

  /** Returns a body that was written elsewhere. The bytes must be the JSON of its type. */
  static written<Body>(bytes: Uint8Array): Rendered<Body> {
    return Object.assign(Object.create(Rendered.prototype) as Rendered<Body>, { bytes });
  }
}

export interface EventStreamOptions {
  /** Returns the last event of a stream that breaks off. Without it the connection is cut. */
  readonly failed?: (error: {
    readonly code: string;
    readonly ownMessage?: string;
    readonly detail?: string;
  }) => string;
  /** After how many milliseconds a reader that takes nothing is disconnected. */
  readonly longestStallMs?: number;
}

/** A body of server-sent events, written as they come. */
export class EventStream {
  /** Whole events or comments. They end when the client disconnects. */
  readonly chunks: AsyncIterable<string>;
  readonly options: EventStreamOptions;

  constructor(chunks: AsyncIterable<string>, options: EventStreamOptions = {}) {
    this.chunks = chunks;
    this.options = options;
  }
}

/** A body that is sent as JSON. */
export type Json<Body> = Body | Rendered<Body>;

export type ReplyHeaders = Readonly<Record<string, string>>;

/** A response before it is written. The contract says which of them an operation may return (`generated/router.ts`). */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: ReplyHeaders;
}
