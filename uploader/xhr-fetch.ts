/** Called with the number of body bytes sent so far. */
export type OnSent = (sentBytes: number) => void;

/** A connection without any progress for this long is dead. */
const idleMs = 120_000;

/** The connection ended without a response. */
export class ConnectionBroke extends TypeError {
  override readonly name = 'ConnectionBroke';
  /** Whether the whole body was sent, so that the server may have acted on it. */
  readonly isAllSent: boolean;

  constructor(message: string, isAllSent: boolean) {
    super(message);
    this.isAllSent = isAllSent;
  }
}

/** `fetch` over XMLHttpRequest. Browsers report upload progress only there. */
interface XhrFetch {
  (request: Request): Promise<Response>;
}

/**
 * Makes a `fetch` for one request.
 *
 * @param body the request's body again, because reading it from the `Request` would load all of it into memory
 */
export function xhrFetch(body: Blob | FormData, onSent: OnSent): XhrFetch {
  return (request) =>
    new Promise((resolve, reject) => {
      const { signal } = request;
      if (signal.aborted) return reject(signal.reason);
      const xhr = new XMLHttpRequest();
      let isAllSent = false;
      const end = (settle: () => void) => {
        timer.stop();
        signal.removeEventListener('abort', stop);
        settle();
        xhr.abort(); // no effect on a finished response
      };
      const fail = (message: string) => end(() => reject(new ConnectionBroke(message, isAllSent)));
      const stop = () => end(() => reject(signal.reason));
      const timer = watchIdle(() => fail(`Nothing moved for ${idleMs / 1000} seconds`));
      signal.addEventListener('abort', stop, { once: true });
      xhr.upload.onload = () => void (isAllSent = true);
      xhr.upload.onprogress = ({ loaded }) => {
        timer.restart();
        onSent(loaded);
      };
      xhr.onerror = () => fail('The connection broke');
      xhr.onload = () => end(() => resolve(responseOf(xhr)));
      send(xhr, request, body);
    });
}

function send(xhr: XMLHttpRequest, request: Request, body: Blob | FormData): void {
  xhr.open(request.method, request.url);
  xhr.responseType = 'arraybuffer';
  request.headers.forEach((value, name) => {
    // The Request's own Content-Type names another boundary than the form that is sent here.
    if (!(body instanceof FormData && name === 'content-type')) xhr.setRequestHeader(name, value);
  });
  xhr.send(body);
}

function watchIdle(act: () => void): { restart(): void; stop(): void } {
  let timer = setTimeout(act, idleMs);
  return {
    restart() {
      clearTimeout(timer);
      timer = setTimeout(act, idleMs);
    },
    stop: () => clearTimeout(timer),
  };
}

function responseOf(xhr: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of xhr.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  // Statuses without a body (Fetch standard, "null body status").
  const body = [204, 205, 304].includes(xhr.status) ? null : (xhr.response as ArrayBuffer);
  return new Response(body, { status: xhr.status, statusText: xhr.statusText, headers });
}
