import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

/** A call of the hook. */
export interface HookCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface HookServer {
  readonly port: number;
  readonly calls: readonly HookCall[];
  /** The function that responds to calls. At first it responds with 204. */
  answer: (res: ServerResponse, call: HookCall) => unknown;
  close(): Promise<void>;
}

/** Starts a foreign server on a free port, with responses that the test sets. Closed when the test ends. */
export async function startHookServer(): Promise<HookServer> {
  const calls: HookCall[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const call = {
      method: req.method!,
      path: req.url!,
      headers: req.headers,
      body: JSON.parse(Buffer.concat(chunks).toString()) as unknown,
    };
    calls.push(call);
    hook.answer(res, call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hook: HookServer = {
    port: (server.address() as AddressInfo).port,
    calls,
    answer: (res) => res.writeHead(204).end(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  onTestFinished(() => hook.close());
  return hook;
}
