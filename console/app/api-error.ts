/** A refused request, or one that did not reach the server. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 if there was no response. */
  readonly status: number;
  /** A code of the contract, or `NETWORK` if there was no response. */
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  /** The prefix of the rule that the error is about. */
  readonly prefix: string | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    { retryAfterSeconds, prefix }: Partial<Pick<ApiError, 'retryAfterSeconds' | 'prefix'>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.prefix = prefix;
  }
}

/** Reads an error in any form of the contract: the envelope, the AI gateway's, and OAuth's. */
export function errorFrom(response: Response | undefined, body: unknown): ApiError {
  if (!response) return new ApiError(0, 'NETWORK', 'The server could not be reached.');
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const { code, message, error, error_description: description, prefix } = fields;
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const after = { retryAfterSeconds: Number.isFinite(wait) ? wait : undefined };
  if (typeof error === 'object' && error !== null) {
    const inner = error as Readonly<Record<string, unknown>>;
    return new ApiError(response.status, textOr(inner.code ?? inner.type, 'UNKNOWN'), textOr(inner.message, ''), after);
  }
  if (typeof error === 'string') return new ApiError(response.status, error, textOr(description, error), after);
  if (typeof code === 'string') {
    const rule = typeof prefix === 'string' ? prefix : undefined;
    return new ApiError(response.status, code, textOr(message, code), { ...after, prefix: rule });
  }
  return new ApiError(response.status, 'UNKNOWN', `The server answered ${response.status}.`, after);
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

/** Returns whether a request was aborted because its screen went away. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
