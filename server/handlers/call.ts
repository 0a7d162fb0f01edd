import type { Caller } from '#server/domain/access/caller.ts';
import type { IncomingBytes } from '#server/domain/chunked/put-part.ts';
import type { IncomingFile } from '#server/domain/objects/upload-object.ts';
import type { FormSource } from '#server/http/same-origin.ts';

/** A body whose bytes matter as they were sent, and the headers that speak of it. */
export interface IncomingRaw {
  /** Whether its Content-Type says that it is a form. */
  readonly isForm: boolean;
  /** A request header, by its name in any case. */
  header(name: string): string | undefined;
  /** @throws BODY_TOO_LARGE, INVALID_PAYLOAD */
  read(): Promise<Buffer>;
}

/** What a handler adds to the line that is logged for a request: counts and times, never contents. */
export interface CallNotes {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  /** How often the model was asked. */
  readonly model_rounds?: number;
  /** How long the model took in all of them. */
  readonly model_ms?: number;
  readonly searches?: number;
  /** The model's server did not say what it counted. */
  readonly usage_estimated?: boolean;
  /** Why the model gave no answer. */
  readonly reason?: string;
}

/** What a handler knows of the request beside its validated input. */
export interface Call {
  /** Who sends it; asking for it in an operation without credentials is a fault. */
  readonly caller: Caller;
  /** Where the request comes from. */
  readonly origin: {
    readonly address: string;
    /** What the client calls itself, as it came; null when it does not. */
    readonly userAgent: string | null;
  };
  /** What a browser sends along, for pages. */
  readonly browser: FormSource & {
    readonly cookies: ReadonlyMap<string, string>;
    readonly asksForHtml: boolean;
    readonly acceptLanguage: string | undefined;
  };
  /** What it asks of a file, beside its input. */
  readonly asks: { readonly isHead: boolean; readonly range: string | undefined };
  /** The one file of a multipart operation; asking for it elsewhere is a fault. */
  readonly file: IncomingFile;
  /** The body of an operation that takes bytes as they are; asking for it elsewhere is a fault. */
  readonly bytes: IncomingBytes;
  /** The body of an operation that reads it itself; asking for it elsewhere is a fault. */
  readonly raw: IncomingRaw;
  /** Counts the request against limits that count only what no cache holds. @throws RATE_LIMITED */
  readonly countMiss: () => Promise<void>;
  /** Says in the headers what is left of a limit that the operation counts itself. */
  announceLimit(left: { readonly remaining: number; readonly resetMs: number }): void;
  /** Aborted when the client goes away before the answer is out. */
  readonly signal: AbortSignal;
  /** Adds to the line that will be logged for this request. */
  note(more: CallNotes): void;
}
