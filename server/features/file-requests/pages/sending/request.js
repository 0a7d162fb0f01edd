/** Statuses that a retry does not fix: 501 (not implemented) and 507 (disk full). */
const lasting = [501, 507];

/** A response that is an error of the server. */
export class Refused extends Error {
  constructor(status, { code = '', message = '' }, retryAfterMs) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /**
   * Whether the same request may succeed later. The server says when with `Retry-After`; without it the status decides.
   * An offset that is wrong is requested again.
   */
  get isPassing() {
    if (this.retryAfterMs !== undefined) return true;
    if (['UPLOAD_OFFSET_MISMATCH', 'UPLOAD_BUSY', 'UPLOAD_NOT_FOUND'].includes(this.code)) return true;
    if (lasting.includes(this.status)) return false;
    return this.status >= 500 || this.status === 429 || this.status === 408;
  }
}

/** A connection on which nothing moves for this long is dead. Some networks never say so. */
const idleMs = 120_000;

/** The connection broke. */
class ConnectionLost extends Error {
  isPassing = true;
}

/**
 * Sends a request, and returns what its response contains. It is no `fetch()`, which does not tell how much was sent.
 *
 * @throws Refused, ConnectionLost, and the reason of `signal`
 */
export function ask(method, address, { headers = {}, body, onSent, signal }) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    request.open(method, address);
    request.setRequestHeader('Accept', 'application/json');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    let idle;
    const giveUp = (reason) => {
      request.abort();
      reject(reason);
    };
    const stop = () => giveUp(signal.reason);
    const moved = () => {
      clearTimeout(idle);
      idle = setTimeout(() => giveUp(new ConnectionLost()), idleMs);
    };
    request.upload.addEventListener('progress', ({ loaded }) => {
      moved();
      onSent?.(loaded);
    });
    signal?.addEventListener('abort', stop, { once: true });
    request.addEventListener('error', () => reject(new ConnectionLost()));
    request.addEventListener('load', () => settle(request, resolve, reject));
    request.addEventListener('loadend', () => {
      clearTimeout(idle);
      signal?.removeEventListener('abort', stop);
    });
    moved();
    request.send(body);
  });
}

function settle(request, resolve, reject) {
  const answer = parsed(request.responseText);
  if (request.status >= 200 && request.status < 300) return resolve(answer.response);
  const seconds = Number(request.getResponseHeader('Retry-After'));
  reject(new Refused(request.status, answer, seconds > 0 ? seconds * 1000 : undefined));
}

/** A proxy may answer in its own way. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
