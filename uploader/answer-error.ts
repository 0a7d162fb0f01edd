import type { ErrorCode } from '../generated/client/index.js';
import { retryAfterMs } from './retry-after.ts';
import { UploadError } from './upload-error.ts';

/** Server errors that stay until somebody does something: a server that cannot do it (501), and a full disk (507). */
const lasting: readonly number[] = [501, 507];

/** Whether a request with this status may succeed when it is sent again within a minute. */
function passes(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && !lasting.includes(status));
}

/**
 * The error that an answer stands for.
 *
 * @param response left out when none came
 * @param body what was made of its body, or why there is none
 * @param now milliseconds, for a `Retry-After` that is a date
 */
export function answerError(response: Response | undefined, body: unknown, now = Date.now()): UploadError {
  // An answer that began and broke off is as good as none.
  if (!response || (body instanceof Error && !isEnvelope(body))) return noAnswer(body);
  const { status } = response;
  const retryable = passes(status);
  const wait = retryAfterMs(response.headers.get('Retry-After'), now);
  if (isEnvelope(body)) {
    // Damage on the way is what part checksums are for: the same bytes are sent once more.
    const damaged = body.code === 'CHECKSUM_MISMATCH';
    return new UploadError({
      code: body.code,
      message: body.message ?? `The server answered ${body.code}.`,
      status,
      retryable: retryable || damaged,
      retryAfterMs: wait,
    });
  }
  const message = `The server answered with status ${status}, and not in the way of Cubby. Look whether the address is right, or try again later.`;
  return new UploadError({ code: 'UNEXPECTED_ANSWER', message, status, retryable, retryAfterMs: wait });
}

function noAnswer(cause: unknown): UploadError {
  const message = 'The server cannot be reached. Look at your network connection, then try again.';
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
