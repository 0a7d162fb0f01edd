import type { ErrorCode } from '#dist/modules/client/index.js';
import { retryAfterMs } from './retry-after.ts';
import { UploadError } from './upload-error.ts';

/** 5xx statuses that a retry does not fix: 501 (not implemented) and 507 (disk full). */
const lasting: readonly number[] = [501, 507];

/**
 * Returns whether a request may succeed if it is sent again. The server says so by headers that follow from the code.
 * Without them the status decides.
 */
function passes({ status, headers }: Response, waitMs: number | undefined): boolean {
  if (headers.get('X-Should-Retry') === 'false') return false;
  if (waitMs !== undefined) return true;
  return status === 408 || status === 429 || (status >= 500 && !lasting.includes(status));
}

/**
 * Turns a failed request into an UploadError.
 *
 * @param response undefined when no response came
 * @param body the parsed body, or the error that reading it threw
 * @param now milliseconds since 1970, for a `Retry-After` that is a date
 */
export function answerError(response: Response | undefined, body: unknown, now = Date.now()): UploadError {
  // A response that broke off midway counts as no response.
  if (!response || (body instanceof Error && !isEnvelope(body))) return noAnswer(body);
  const { status } = response;
  const wait = retryAfterMs(response.headers.get('Retry-After'), now);
  const retryable = passes(response, wait);
  if (isEnvelope(body)) {
    // The bytes were damaged in transit, so sending them again can succeed.
    const damaged = body.code === 'CHECKSUM_MISMATCH';
    return new UploadError({
      code: body.code,
      message: body.message ?? `The server answered ${body.code}.`,
      status,
      retryable: retryable || damaged,
      retryAfterMs: wait,
    });
  }
  const message =
    `The server answered with status ${status}, but not in Cubby's format. ` +
    'Check the server address, or try again later.';
  return new UploadError({ code: 'UNEXPECTED_ANSWER', message, status, retryable, retryAfterMs: wait });
}

function noAnswer(cause: unknown): UploadError {
  const message = 'The server cannot be reached. Check your network connection, then try again.';
  return new UploadError({ code: 'NETWORK_ERROR', message, retryable: true, cause });
}

function isEnvelope(body: unknown): body is { readonly code: ErrorCode; readonly message?: string } {
  return (
    typeof body === 'object' &&
    body !== null &&
    'status' in body &&
    body.status === 'error' &&
    'code' in body &&
    typeof body.code === 'string'
  );
}
