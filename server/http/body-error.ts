/**
 * Why a body with fields is rejected:
 * - `too-large`: it is larger than `maxBytes`, as declared or as sent
 * - `too-deep`: more than `maxDepth` arrays and objects are nested
 * - `too-many`: it has more than `maxValues` values
 * - `empty`: there is no body, or only blanks
 * - `cut-off`: the client disconnected before the body was complete
 * - `encoded`: it is compressed, or has another `Content-Encoding`
 * - `malformed`: it is not JSON (RFC 8259), or not UTF-8
 * - `no-memory`: the memory for bodies is used up
 * - `not-a-form`: it is not a form in UTF-8, or has more than `maxFields` fields
 */
type BodyFault =
  | 'too-large'
  | 'too-deep'
  | 'too-many'
  | 'empty'
  | 'cut-off'
  | 'encoded'
  | 'malformed'
  | 'no-memory'
  | 'not-a-form';

/** A request's body cannot be read as JSON or as a form. `reason` says why. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly reason: BodyFault;
  /** For people, of a malformed body: the mistake and its place, such as "unexpected `}` at line 3, column 7". */
  readonly detail: string | undefined;

  constructor(reason: BodyFault, { detail, ...options }: ErrorOptions & { readonly detail?: string | undefined } = {}) {
    super(`body refused: ${reason}`, options);
    this.reason = reason;
    this.detail = detail;
  }
}
