/** A difference of two contracts, as a client sees it. */
export interface Change {
  /** Whether a client that worked before may fail now. */
  readonly isBreaking: boolean;
  /** The operation that changed. */
  readonly operation: string;
  readonly text: string;
}

/**
 * What each kind of change means for clients. A client must still be able to send what it sent, and to read what it
 * gets. New codes, new fields of answers and new values of answers are no breaks: clients are told to expect them.
 */
export const rules = {
  'operation removed': true,
  'operation added': false,
  'parameter removed': true,
  'required parameter added': true,
  'optional parameter added': false,
  'parameter became required': true,
  'parameter became optional': false,
  'body became required': true,
  'media type of a request removed': true,
  'media type of a request added': false,
  'media type of a response removed': true,
  'media type of a response added': false,
  'success status removed': true,
  'success status added': false,
  'error code removed': false,
  'error code added': false,
  'response header removed': true,
  'response header added': false,
  'request field removed': true,
  'required request field added': true,
  'optional request field added': false,
  'request field became required': true,
  'request field became optional': false,
  'response field removed': true,
  'response field added': false,
  'response field became optional': true,
  'response field became required': false,
  'request type narrowed': true,
  'request type widened': false,
  'response type narrowed': false,
  'response type widened': true,
  'request value removed': true,
  'request value added': false,
  'response value removed': false,
  'response value added': false,
  'request range narrowed': true,
  'request range widened': false,
  // A client that sends what the contract names does not notice.
  'unknown request fields refused': false,
  'unknown request fields ignored': false,
  'scope added': false,
  'scope removed': true,
  'all scopes required': true,
  'one scope suffices': false,
  'plan raised': true,
  'plan lowered': false,
  'rate limit tightened': true,
  'rate limit loosened': false,
} as const satisfies Record<string, boolean>;

export type Rule = keyof typeof rules;
