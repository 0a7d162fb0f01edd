import type { DoorName } from '#server/config/door-names.ts';
import type { Payload } from '#test/s3/signed-request.ts';

/** A field of a multipart body. */
export interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly content: Buffer;
}

export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly fields: ReadonlyArray<readonly [string, string]> }
  | { readonly kind: 'multipart'; readonly parts: readonly Part[] }
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly type?: string | undefined };

/** How a request to the S3 gateway is signed. */
export interface Signing {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly payload?: Payload;
  /** Whether the signature is in the query. */
  readonly isPresigned?: boolean;
}

/** A request before it becomes bytes. The parts are still apart, so that one of them can be broken. */
export interface Draft {
  /** The operation of the contract, or `s3.` and the operation of S3. */
  readonly operation: string;
  door: DoorName;
  method: string;
  /** The path, with `{name}` for each of `pathValues`. */
  path: string;
  pathValues: Record<string, string>;
  query: Array<readonly [name: string, value: string]>;
  /** Added to the query as it is. */
  rawQuery?: string | undefined;
  readonly headers: Array<readonly [name: string, value: string]>;
  body?: Body | undefined;
  /** Sent as `Authorization`. */
  credential?: string | undefined;
  signing?: Signing | undefined;
  isChunked?: boolean;
  fault?: FuzzRequest['fault'];
  /** What is broken about it. Undefined if it is valid. */
  broken?: string;
}

/** Bytes that are sent in another way than usual. */
export type WireFault =
  | 'half-head'
  | 'half-body'
  | 'huge-length'
  | 'flipped-head'
  | 'extra-line'
  | 'no-host'
  | 'two-hosts'
  | 'bare-lf'
  | 'folded'
  | 'nul-in-header'
  | 'space-before-colon'
  | 'two-lengths'
  | 'length-and-chunked'
  | 'negative-length'
  | 'bad-chunk-size'
  | 'old-version'
  | 'unknown-version'
  | 'absolute-form'
  | 'absolute-elsewhere'
  | 'asterisk-form'
  | 'lower-case-method'
  | 'connect'
  | 'large-head'
  | 'many-headers'
  | 'pipelined'
  | 'upgrade'
  | 'unknown-expectation'
  | 'only-noise';

/** A request that can be sent, saved and sent again. All texts are bytes: one character each. */
export interface FuzzRequest {
  readonly operation: string;
  readonly door: DoorName;
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly target: string;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body?: string | undefined;
  /** Sent in chunks rather than with a length. */
  readonly isChunked?: boolean;
  readonly signing?: Signing | undefined;
  readonly fault?: { readonly kind: WireFault; readonly seed: number } | undefined;
  readonly broken?: string | undefined;
}
