import type { S3Code } from './error-meanings.ts';

/** The optional parts of a refusal. */
interface S3RefusalDetails {
  /** The message for people. Default: the message of the code. */
  readonly message?: string;
  /** More elements of the error's XML, such as `MaxSizeAllowed`. */
  readonly details?: Readonly<Record<string, string>>;
  /** Response headers that go with it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal that only S3 has a name for. The rest of the domain throws `Refusal`, which the S3 door translates. */
export class S3Refusal extends Error {
  readonly code: S3Code;
  /** Its own message, if it has one. */
  readonly ownMessage: string | undefined;
  readonly details: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: S3Code, { message, details = {}, headers = {} }: S3RefusalDetails = {}) {
    super(message ?? code);
    this.name = 'S3Refusal';
    this.code = code;
    this.ownMessage = message;
    this.details = details;
    this.headers = headers;
  }
}
