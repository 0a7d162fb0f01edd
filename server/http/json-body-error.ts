/**
 * What is wrong with a JSON body:
 * - `too-large`: more than `maxBytes`, declared or sent
 * - `too-deep`: more than `maxDepth` arrays and objects within each other
 * - `too-many`: more than `maxValues` values
 * - `empty`: no body, or nothing but blanks
 * - `cut-off`: the client went away before the body was complete
 * - `encoded`: compressed, or otherwise in a `Content-Encoding`
 * - `malformed`: no JSON text (RFC 8259), or no UTF-8
 */
export type JsonBodyFault = 'too-large' | 'malformed' | 'encoded' | 'too-deep' | 'too-many' | 'cut-off' | 'empty';

/** A request's body is no JSON that is accepted; `reason` says why. */
export class JsonBodyError extends Error {
  override readonly name = 'JsonBodyError';
  readonly reason: JsonBodyFault;
  /** Of a malformed body: what is wrong and where, for people: "unexpected `}` at line 3, column 7". */
  readonly detail: string | undefined;

  constructor(reason: JsonBodyFault, { detail, ...options }: ErrorOptions & { readonly detail?: string } = {}) {
    super(`JSON body refused: ${reason}`, options);
    this.reason = reason;
    this.detail = detail;
  }
}

/** What a JSON body may be at most. */
export interface JsonLimits {
  readonly maxBytes: number;
  /** `[]` has depth 1, `[[]]` has depth 2, a bare number has depth 0. */
  readonly maxDepth: number;
  /**
   * Values in all, members and elements counted. A text that is all structure takes `JSON.parse` many times as long as
   * one of the same length that is mostly text, and nothing else can run meanwhile.
   */
  readonly maxValues: number;
}
