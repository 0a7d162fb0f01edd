import type { IncomingMessage, ServerResponse } from 'node:http';

import type { OperationId } from '#generated/policies.ts';
import type { DoorName } from '#server/config/door-names.ts';

/** A request that the sandbox received, and the outcome. */
interface ReceivedRequest {
  /** When it came, by the machine's clock: RFC 3339. */
  readonly at: string;
  readonly door: DoorName;
  /** Null for a request outside of the contract. */
  readonly operation: OperationId | null;
  readonly method: string;
  readonly path: string;
  /** The query as it was sent, without the question mark. */
  readonly query: string;
  /** Names in lower case. Of credentials only the last four characters are shown. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body that arrived. */
  readonly bodyBytes: number;
  /** The body, if it is JSON or a form of at most 64 KiB. */
  readonly body?: unknown;
  /** Null if the connection ended before a response. */
  readonly status: number | null;
  /** Whether a test had planned this failure. */
  readonly isPlanned: boolean;
}

const maxRequests = 1000;
const maxBodyBytes = 65_536;

/** The last 1000 requests of a sandbox. */
export class Received {
  #requests: ReceivedRequest[] = [];

  list(): readonly ReceivedRequest[] {
    return this.#requests;
  }

  clear(): void {
    this.#requests = [];
  }

  /** Records a request. It is in the list once its response was sent, or its connection has ended. */
  watch(
    {
      door,
      operation,
      isPlanned,
    }: { readonly door: DoorName; readonly operation: OperationId | undefined; readonly isPlanned: boolean },
    req: IncomingMessage,
    res: ServerResponse,
  ): void {
    const at = new Date().toISOString();
    const [path = '', query = ''] = (req.url ?? '').split(/\?(.*)/s);
    const method = req.method ?? '';
    const body = keepBody(req);
    res.once('close', () => {
      const { bytes, size } = body();
      const parsed = parsedBody(req.headers['content-type'], bytes);
      this.#requests.push({
        at,
        door,
        operation: operation ?? null,
        method,
        path,
        query,
        headers: shownHeaders(req),
        bodyBytes: size,
        ...(parsed !== undefined && { body: parsed }),
        status: res.writableFinished ? res.statusCode : null,
        isPlanned,
      });
      if (this.#requests.length > maxRequests) this.#requests = this.#requests.slice(-maxRequests);
    });
  }
}

/** Keeps the bytes of a body as they arrive, without reading them, because the server reads them. */
function keepBody(req: IncomingMessage): () => { readonly bytes: Buffer; readonly size: number } {
  let chunks: Buffer[] = [];
  let size = 0;
  const push = req.push.bind(req);
  req.push = (chunk: Buffer | null, ...rest: []) => {
    if (chunk !== null) {
      size += chunk.length;
      // A copy, because the server may reuse or hand over the bytes.
      if (size <= maxBodyBytes) chunks.push(Buffer.from(chunk));
      else chunks = [];
    }
    return push(chunk, ...rest);
  };
  return () => ({ bytes: Buffer.concat(chunks), size });
}

function parsedBody(type: string | undefined, bytes: Buffer): unknown {
  if (bytes.length === 0 || /^multipart\/|octet-stream/i.test(type ?? '')) return undefined;
  const text = bytes.toString();
  if (/^application\/x-www-form-urlencoded/i.test(type ?? '')) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function shownHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const text = [value ?? ''].flat().join(', ');
      return [name, name === 'authorization' || name === 'cookie' ? `…${text.slice(-4)}` : text];
    }),
  );
}
