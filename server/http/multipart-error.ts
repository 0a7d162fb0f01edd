/**
 * Why a multipart body is rejected:
 * - `not-multipart`: the `Content-Type` is another one, or names no boundary
 * - `no-file`: the form is empty, or its first part has another name
 * - `no-filename`: the part is not sent as a file with a name
 * - `ambiguous`: the part is described twice, for example by two filenames, and a proxy may choose the other one
 * - `too-many-parts`: another part follows the file
 * - `fields-too-large`: the fields before the file are larger than allowed
 * - `cut-off`: the body ended, or the client disconnected, before the closing delimiter
 * - `malformed`: anything else that RFC 2046 does not allow
 */
export type MultipartFault =
  | 'not-multipart'
  | 'no-file'
  | 'too-many-parts'
  | 'no-filename'
  | 'ambiguous'
  | 'fields-too-large'
  | 'cut-off'
  | 'malformed';

/** A multipart body is not as expected. `reason` says why. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError';
  readonly reason: MultipartFault;

  constructor(reason: MultipartFault, options?: ErrorOptions) {
    super(`Multipart body refused: ${reason}`, options);
    this.reason = reason;
  }
}
