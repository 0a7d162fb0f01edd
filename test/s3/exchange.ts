import { connect } from 'node:net';

import { sign, type Endpoint, type S3Request, type Wire } from './signed-request.ts';

/** A response of the gateway. */
export interface S3Answer {
  readonly status: number;
  /** Names in lower case. When a name comes twice, the last value wins. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The body as text. */
  readonly text: string;
}

/** Signs a request, sends it and reads the response. */
export function exchange(endpoint: Endpoint, request: S3Request, patienceMs?: number): Promise<S3Answer> {
  return sendWire(endpoint, sign(endpoint, request), patienceMs);
}

/** Sends a request byte for byte. An HTTP client would refuse or repair some requests of the tests. */
export async function sendWire({ url }: Pick<Endpoint, 'url'>, wire: Wire, patienceMs?: number): Promise<S3Answer> {
  return readAnswer(await sendBytes(url, bytesOf(wire), patienceMs), wire.method);
}

/** A request in bytes. The server closes the connection after its response. */
export function bytesOf({ method, target, headers, body }: Wire): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'connection: close',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]);
}

/**
 * Sends bytes and reads until the server closes the connection.
 *
 * @param patienceMs rejects when no bytes come for so long
 */
export function sendBytes(url: string, bytes: Uint8Array, patienceMs = 10_000): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    socket.setTimeout(patienceMs, () =>
      socket.destroy(
        new Error(`No answer in ${patienceMs} ms to ${Buffer.from(bytes).toString('latin1').slice(0, 300)}`),
      ),
    );
    socket.on('data', (piece) => void pieces.push(piece));
    // A server that refuses can close before it has read all bytes. The response that it sent before counts.
    socket.once('error', (error: NodeJS.ErrnoException) =>
      pieces.length > 0 ? resolve(Buffer.concat(pieces)) : reject(error),
    );
    socket.once('end', () => resolve(Buffer.concat(pieces)));
    socket.write(bytes);
  });
}

/** Reads a whole response. */
export function readAnswer(bytes: Buffer, method: string): S3Answer {
  let rest = bytes;
  let head = '';
  do {
    const end = rest.indexOf('\r\n\r\n');
    head = rest.subarray(0, end).toString('latin1');
    rest = rest.subarray(end + 4);
  } while (head.startsWith('HTTP/1.1 100'));
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const body = method === 'HEAD' ? Buffer.alloc(0) : headers['transfer-encoding'] === 'chunked' ? unchunk(rest) : rest;
  return { status: Number(first.split(' ')[1]), headers, body, text: body.toString() };
}

function unchunk(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (!(size > 0)) return Buffer.concat(pieces);
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

/** The texts of all elements of a name, in order and unescaped. */
export function textsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>|<${name}(?: [^>]*)?/>`, 'g'))].map(
    ([, text = '']) => unescape(text),
  );
}

/** The text of the first element of a name. */
export function textOf(xml: string, name: string): string | undefined {
  return textsOf(xml, name)[0];
}

function unescape(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([0-9a-fA-F]+));/g,
    (_, name, decimal, hex) =>
      named[name] ?? String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
  );
}
