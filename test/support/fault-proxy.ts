import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import { onTestFinished } from 'vitest';

/** A place at which a connection is cut. Both sides see it end. */
export interface Cut {
  /**
   * `request` cuts after this many bytes of the request, head included. `answer` cuts after this many bytes of the
   * response. With 0 the client gets nothing of it, although the server has acted.
   */
  readonly in: 'request' | 'answer';
  readonly afterBytes: number;
  /** Cuts with a reset instead of a proper end. */
  readonly isAbrupt?: boolean;
}

/** A request on its way, with its first line and the size of its head and body together. */
export interface PassingRequest {
  readonly line: string;
  readonly sizeBytes: number;
}

export interface FaultProxy {
  /** The address to use instead of the server's. */
  readonly url: string;
  /** The number of connections that were cut. */
  readonly cuts: number;
}

/**
 * Starts a TCP proxy in front of a server that cuts connections on request. It parses HTTP/1.1 heads only to find the
 * start of each request, so bodies must have a Content-Length. Closed when the test ends.
 */
export async function startFaultProxy(
  target: string,
  cutOf: (request: PassingRequest) => Cut | undefined,
): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    const sides = [client, upstream] as const;
    for (const side of sides) {
      open.add(side);
      side.on('error', () => {}); // the other side is closed by the handler below
      side.on('close', () => {
        open.delete(side);
        for (const other of sides) other.destroy();
      });
    }
    const end = (cut: Cut) => {
      cuts++;
      for (const side of sides) cut.isAbrupt ? side.resetAndDestroy() : side.end(() => side.destroy());
    };
    relay(client, upstream, cutOf, end);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
  };
}

function relay(
  client: Socket,
  upstream: Socket,
  cutOf: (request: PassingRequest) => Cut | undefined,
  end: (cut: Cut) => void,
): void {
  let cut: Cut | undefined;
  let isEnded = false;
  let passed = { request: 0, answer: 0 };
  const requests = followRequests((request) => {
    cut = cutOf(request);
    passed = { request: 0, answer: 0 };
  });
  const pass = (side: Cut['in'], bytes: Buffer, to: Socket, from: Socket): void => {
    if (isEnded) return;
    const left = cut?.in === side ? cut.afterBytes - passed[side] : Infinity;
    passed[side] += bytes.length;
    if (bytes.length >= left) {
      isEnded = true;
      if (left > 0) to.write(bytes.subarray(0, left));
      return end(cut!);
    }
    if (!to.write(bytes)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
  };
  client.on('data', (bytes: Buffer) => {
    for (const piece of requests(bytes)) pass('request', piece, upstream, client);
  });
  upstream.on('data', (bytes: Buffer) => pass('answer', bytes, client, upstream));
}

/** Splits the bytes of a client where requests begin. Reports each request before its first piece. */
function* piecesOf(
  bytes: Buffer,
  state: { head: string; bodyLeft: number },
  tell: (request: PassingRequest) => void,
): Generator<Buffer> {
  let rest = bytes;
  while (rest.length > 0) {
    if (state.bodyLeft > 0) {
      const piece = rest.subarray(0, state.bodyLeft);
      state.bodyLeft -= piece.length;
      rest = rest.subarray(piece.length);
      yield piece;
      continue;
    }
    const known = state.head.length;
    state.head += rest.toString('latin1');
    const headEnd = state.head.indexOf('\r\n\r\n');
    if (headEnd < 0) return; // held back until the head is complete
    const head = state.head.slice(0, headEnd + 4);
    const bodyBytes = Number(/^content-length: *([0-9]+)/im.exec(head)?.[1] ?? 0);
    rest = rest.subarray(head.length - known);
    state.head = '';
    state.bodyLeft = bodyBytes;
    tell({ line: head.slice(0, head.indexOf('\r\n')), sizeBytes: head.length + bodyBytes });
    yield Buffer.from(head, 'latin1');
  }
}

function followRequests(tell: (request: PassingRequest) => void): (bytes: Buffer) => Iterable<Buffer> {
  const state = { head: '', bodyLeft: 0 };
  return (bytes) => piecesOf(bytes, state, tell);
}
