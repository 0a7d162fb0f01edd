import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';

import type { Answer } from './answer-check.ts';

/** A response that was sent. If its body is over the limit, `body` is empty. */
export interface CapturedAnswer extends Omit<Answer, 'door'> {
  readonly isBodyKept: boolean;
}

/** Larger bodies are files, which the contract does not describe. */
const maxBodyBytes = 1_048_576;

/**
 * Observes each response of a listener without changing or delaying it. Calls `onAnswer` after a response was sent, but
 * not after an aborted one.
 */
export function capturing(listener: RequestListener, onAnswer: (answer: CapturedAnswer) => void): RequestListener {
  return (req, res) => {
    const path = pathOf(req); // now, because routers change req.url later
    const body = keepBody(res);
    const headers = keepHeaders(res);
    res.once('finish', () => {
      // Node drops a body that is written to such a response.
      const hasNone = req.method === 'HEAD' || [204, 304].includes(res.statusCode);
      const { bytes, isWhole } = hasNone ? { bytes: Buffer.alloc(0), isWhole: true } : body();
      onAnswer({
        method: req.method ?? '',
        path,
        status: res.statusCode,
        headers: headers(),
        body: bytes,
        isBodyKept: isWhole,
      });
    });
    return listener(req, res);
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0] || '/';
}

/** Records the bytes written from now on. The returned function gives them back. */
function keepBody(res: ServerResponse): () => { readonly bytes: Buffer; readonly isWhole: boolean } {
  let chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    size += chunk.length;
    if (size > maxBodyBytes) chunks = [];
    else
      chunks.push(
        typeof chunk === 'string'
          ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
          : Buffer.from(chunk),
      );
  };
  before(res, 'write', keep);
  before(res, 'end', keep);
  return () => ({ bytes: Buffer.concat(chunks), isWhole: size <= maxBodyBytes });
}

/** Records headers passed to `writeHead()`, which `getHeaders()` may not show. */
function keepHeaders(res: ServerResponse): () => Record<string, string> {
  const given: OutgoingHttpHeaders = {};
  before(res, 'writeHead', (_status, reason, headers) => {
    const last = typeof reason === 'object' ? reason : headers;
    if (typeof last === 'object' && last !== null && !Array.isArray(last)) Object.assign(given, last);
  });
  return () => {
    const all = Object.entries({ ...res.getHeaders(), ...given }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(
      all.map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : String(value)]),
    );
  };
}

function before(res: ServerResponse, method: 'write' | 'end' | 'writeHead', look: (...args: unknown[]) => void): void {
  const real = res[method] as (...args: unknown[]) => unknown;
  Object.defineProperty(res, method, {
    configurable: true,
    writable: true,
    value: (...args: unknown[]) => {
      look(...args);
      return real.apply(res, args);
    },
  });
}
