/** An upload in parts, as a request names it. The feature of such uploads adds what it has. */
export interface NamedUpload {}

/** The upload that one request names. Its row is read once, even if several steps of the request find it. */
export interface UploadLookup {
  /** The `upload` string that the client sent. */
  readonly handle: string;
  /**
   * Reads the id from the handle.
   *
   * @throws INVALID_UPLOAD_TOKEN if the handle is malformed, forged or of another account
   */
  id(): string;
  /**
   * Finds the upload in any state, if the caller may reach it. An upload token reaches the uploads that it opened. A
   * restricted key reaches those within its prefixes.
   *
   * @throws INVALID_UPLOAD_TOKEN, UPLOAD_NOT_FOUND, PREFIX_NOT_ALLOWED
   */
  find(): Promise<NamedUpload>;
  /** Like {@link find}, but reads the row again. */
  findAgain(): Promise<NamedUpload>;
}
