/**
 * What is wrong with a multipart body:
 * - `not-multipart`: the `Content-Type` is another one, or names no boundary
 * - `no-file`: the form is empty, or its first part has another name
 * - `no-filename`: the part is there, but is not sent as a file with a name
 * - `ambiguous`: the part is described twice, as by two filenames; others on the way may take the other one
 * - `too-many-parts`: another part follows the file
 * - `fields-too-large`: what stands before the file is larger than its reader takes
 * - `cut-off`: the body ended, or the client went away, before the closing delimiter
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

/** A multipart body is not what was asked for; `reason` says how. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError';
  readonly reason: MultipartFault;

  constructor(reason: MultipartFault, options?: ErrorOptions) {
    super(`Multipart body refused: ${reason}`, options);
    this.reason = reason;
  }
}
