import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { onTestFinished } from 'vitest';

/**
 * A fault in an answer.
 *
 * - `status`: the proxy answers itself, with this status and body, and asks nobody.
 * - `hang`: it reads the request and answers nothing.
 * - `later`: it closes the connection without an answer, and passes the request on after this many milliseconds.
 * - `lose`: it passes the request on at once, and closes the connection without an answer.
 * - `headers`: it replaces headers of the answer.
 * - `delay`: it answers later.
 * - `stall`: it stops in the middle of the answer's body, after about this many bytes.
 */
export type HttpFault =
  | { readonly kind: 'status'; readonly status: number; readonly body?: string }
  | { readonly kind: 'hang' }
  | { readonly kind: 'later'; readonly afterMs: number }
  | { readonly kind: 'lose' }
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'delay'; readonly delayMs: number }
  | { readonly kind: 'stall'; readonly afterBytes: number };

export interface FaultyHttp {
  readonly url: string;
  /** The methods and paths of all requests so far. */
  readonly seen: readonly string[];
  /** Chooses the fault of a request. It may be replaced at any time. */
  fault: (line: string) => HttpFault | undefined;
}

/** Starts a proxy in front of an HTTP server that answers wrongly on request. Closed when the test ends. */
export async function startFaultyHttp(target: string): Promise<FaultyHttp> {
  const agent = new Agent({ keepAlive: true });
  const seen: string[] = [];
  const server = createServer((req, res) => void answer(req, res).catch(() => res.destroy()));
  const proxy: { -readonly [name in keyof FaultyHttp]: FaultyHttp[name] } = { url: '', seen, fault: () => undefined };

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const line = `${req.method} ${req.url}`;
    seen.push(line);
    const fault = proxy.fault(line);
    if (!fault) return pass(req, res, req);
    const body = await buffer(req);
    switch (fault.kind) {
      case 'status':
        return void res.writeHead(fault.status, { 'content-type': 'application/xml' }).end(fault.body ?? '');
      case 'hang':
        return;
      case 'lose':
        await pass(req, undefined, body);
        return void res.destroy();
      case 'later':
        res.destroy();
        await sleep(fault.afterMs);
        return pass(req, undefined, body);
      case 'headers':
        return pass(req, res, body, fault.headers);
      case 'delay':
        await sleep(fault.delayMs);
        return pass(req, res, body);
      case 'stall':
        return pass(req, res, body, {}, fault.afterBytes);
    }
  }

  async function pass(
    req: IncomingMessage,
    res: ServerResponse | undefined,
    body: Buffer | IncomingMessage,
    headers: Readonly<Record<string, string>> = {},
    stallsAfter = Infinity,
  ): Promise<void> {
    const { hostname, port } = new URL(target);
    const upstream = request({ agent, hostname, port, method: req.method, path: req.url, headers: req.headers });
    if (Buffer.isBuffer(body)) upstream.end(body);
    else body.pipe(upstream);
    res?.on('close', () => upstream.destroy());
    const [answered] = (await once(upstream, 'response')) as [IncomingMessage];
    if (!res) return void answered.resume();
    res.writeHead(answered.statusCode!, { ...answered.headers, ...headers });
    let sentBytes = 0;
    answered.on('data', (chunk: Buffer) => {
      sentBytes += chunk.length;
      if (sentBytes > stallsAfter) answered.unpipe(res);
    });
    answered.pipe(res);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    agent.destroy();
  });
  return proxy;
}
