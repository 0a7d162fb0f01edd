import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ControlError, parseFailure } from './failures.ts';
import { plantSeed, type Seed } from './seed.ts';
import type { ControlledSandbox } from './controlled.ts';
import type { LineSpeed } from './line.ts';

/** An import would also load Node's client for `fetch()`. @see server/start.ts */
const { createServer } = process.getBuiltinModule('node:http');

/** The control API of a sandbox: HTTP with JSON, on a port of its own that only this machine reaches. */
interface ControlApi {
  readonly url: string;
  close(): Promise<void>;
}

type Body = Readonly<Record<string, unknown>>;

/** Answers a request with JSON, or with 204 for undefined. */
type Action = (sandbox: ControlledSandbox, body: Body) => Promise<unknown>;

const clockOf = ({ clock }: ControlledSandbox) => ({ now: new Date(clock.now()).toISOString() });

/** All actions, by method and path. */
const actions: Readonly<Record<string, Action>> = {
  'GET /': async ({ urls, accounts }) => ({ urls, accounts, actions: Object.keys(actions) }),
  'POST /reset': async (sandbox) => {
    await sandbox.reset();
  },
  'POST /seed': async ({ urls, accounts }, body) => plantSeed({ api: urls.api, accounts }, body as Seed),
  'GET /clock': async (sandbox) => clockOf(sandbox),
  'PUT /clock': async (sandbox, body) => {
    setClock(sandbox, body);
    return clockOf(sandbox);
  },
  'DELETE /clock': async (sandbox) => {
    sandbox.clock.reset();
    return clockOf(sandbox);
  },
  'POST /failures': async ({ failures }, body) => {
    failures.add(parseFailure(body));
    return { failures: failures.waiting() };
  },
  'GET /failures': async ({ failures }) => ({ failures: failures.waiting() }),
  'DELETE /failures': async ({ failures }) => failures.clear(),
  'PUT /line': async (sandbox, body) => (sandbox.speed = speedOf(body)),
  'GET /line': async ({ speed }) => speed,
  'GET /requests': async ({ received }) => ({ requests: received.list() }),
  'DELETE /requests': async ({ received }) => received.clear(),
  'GET /wrong-answers': async (sandbox) => ({ count: await sandbox.wrongAnswers() }),
};

const maxBodyBytes = 256 * 1_048_576;

/** Opens the control API of a sandbox. */
export async function openControl(sandbox: ControlledSandbox, port = 0): Promise<ControlApi> {
  const server = createServer((req, res) => {
    answer(sandbox, req, res).catch((error: unknown) => {
      const status = error instanceof ControlError ? 400 : 500;
      send(res, status, { status: 'error', message: error instanceof Error ? error.message : String(error) });
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(sandbox: ControlledSandbox, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (!isOfThisMachine(req))
    return send(res, 403, { status: 'error', message: 'Only programs of this machine may use the control API.' });
  const path = (req.url ?? '/').split('?', 1)[0]!;
  const action = actions[`${req.method} ${path}`];
  if (!action) {
    const known = Object.keys(actions).join(', ');
    return send(res, 404, { status: 'error', message: `There is no ${req.method} ${path}. There are ${known}.` });
  }
  const result = await action(sandbox, req.method === 'GET' ? {} : await bodyOf(req));
  result === undefined ? res.writeHead(204).end() : send(res, 200, result);
}

/**
 * Whether a program sent the request, and not a page that a developer has open. A page sends `Origin`, and a page that
 * points its own name to this machine sends that name as `Host`.
 */
function isOfThisMachine({ headers }: IncomingMessage): boolean {
  return headers.origin === undefined && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '');
}

async function bodyOf(req: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += (chunk as Buffer).length;
    if (size > maxBodyBytes) throw new ControlError('The body may have at most 256 MiB.');
    chunks.push(chunk as Buffer);
  }
  if (size === 0) return {};
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body;
  } catch {
    // It is refused with the same message as another JSON value.
  }
  throw new ControlError('The body must be a JSON object.');
}

function send(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(`${JSON.stringify(body)}\n`);
}

/** `now` sets the clock, `advanceMs` moves it, `isStopped` stops it or lets it go on. */
function setClock({ clock }: ControlledSandbox, { now, advanceMs, isStopped }: Body): void {
  if (now === undefined && advanceMs === undefined && isStopped === undefined)
    throw new ControlError('Send "now", "advanceMs" or "isStopped".');
  const instant = now === undefined ? undefined : typeof now === 'string' ? Date.parse(now) : Number.NaN;
  if (instant !== undefined && Number.isNaN(instant))
    throw new ControlError(`"now" must be a time such as 2026-04-21T09:30:00Z. Got ${JSON.stringify(now)}.`);
  if (advanceMs !== undefined && (typeof advanceMs !== 'number' || !Number.isFinite(advanceMs)))
    throw new ControlError(`"advanceMs" must be a number of milliseconds. Got ${JSON.stringify(advanceMs)}.`);
  if (isStopped !== undefined && typeof isStopped !== 'boolean')
    throw new ControlError(`"isStopped" must be true or false. Got ${JSON.stringify(isStopped)}.`);
  clock.change({ instant, advanceMs, isStopped });
}

function speedOf({ latencyMs = 0, bytesPerSecond = null }: Body): LineSpeed {
  if (typeof latencyMs !== 'number' || !(latencyMs >= 0 && latencyMs <= 60_000))
    throw new ControlError(`"latencyMs" must be a number from 0 to 60000. Got ${JSON.stringify(latencyMs)}.`);
  if (bytesPerSecond !== null && (typeof bytesPerSecond !== 'number' || !(bytesPerSecond >= 1)))
    throw new ControlError(`"bytesPerSecond" must be a number from 1, or null. Got ${JSON.stringify(bytesPerSecond)}.`);
  return { latencyMs, bytesPerSecond };
}
