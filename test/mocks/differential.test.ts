import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { errors } from '#generated/errors.ts';
import { policies } from '#generated/policies.ts';
import { startChatUpstream, type ChatUpstream } from '#mocks/chat-upstream.ts';
import { startMock, type Mock } from '#mocks/mock.ts';
import { mockEnvironment } from '#mocks/mock/settings.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import {
  comparedHeaders,
  headerDifferences,
  knownHeaderDifferences,
  type KnownHeaderDifference,
} from './compared-headers.ts';
import { knownDifference, knownDifferences, type Outcome } from './differences.ts';
import { furnishedAccount } from './furnished-account.ts';
import { accountOfExamples, generatedRequest, type GeneratedRequest } from './generated-requests.ts';
import type { KnownDifference } from './known-difference.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const count = isLong ? 5_000 : 1_000;

/** A server, with the credentials that a generated request may carry. */
interface Target {
  readonly urls: Readonly<Record<'api' | 'files' | 'operator', string>>;
  readonly credentials: Readonly<Record<GeneratedRequest['credential'], string | undefined>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Replaces the ids of the contract's examples with those of the server. */
  own(text: string): string;
}

let mock: Mock;
let server: TestServer;
let upstream: ChatUpstream;
let backups: string;
beforeAll(async () => {
  backups = await mkdtemp(join(tmpdir(), 'cubby-differential-'));
  upstream = await startChatUpstream();
  // The settings of the mock, with limits. Each request comes from an address of its own, so none is exceeded.
  const env = {
    ...mockEnvironment,
    CUBBY_LOG: 'silent',
    CUBBY_AI_EMBEDDINGS_URL: upstream.url,
    CUBBY_BACKUP_TARGET: join(backups, 'target'),
    CUBBY_RATE_LIMITS: 'on',
    CUBBY_TRUSTED_PROXIES: '127.0.0.1',
  };
  [mock, server] = await Promise.all([startMock({ port: 0 }), startTestServer({ env })]);
});
afterAll(async () => {
  await Promise.all([mock.close(), server.stop(), upstream.close()]);
  await rm(backups, { recursive: true, force: true });
});

const wrong = { none: undefined, empty: 'Bearer ', wrong: `cbk_${'x'.repeat(46)}` };

function mockTarget(): Target {
  return {
    urls: { api: mock.url, files: mock.url, operator: mock.url },
    credentials: { ...wrong, key: 'any', token: 'cbup_any' },
    headers: {},
    own: (text) => text,
  };
}

/** Returns the server with an account of its own for the request, which has what the request names. */
async function serverTarget(request: GeneratedRequest): Promise<Target> {
  // Makers share an address, so its limits must end.
  server.clock.advance(3000);
  const { credential, ...furnished } = await furnishedAccount(server, request);
  const isOperator = policies[request.operation].credentials.includes('operatorKey');
  const key = isOperator ? await server.operatorKey() : credential;
  return { urls: server.running.urls, credentials: { ...wrong, key, token: credential }, ...furnished };
}

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

let requestCount = 0;
/** An address for each request, and the same at both servers. */
const addresses = new WeakMap<GeneratedRequest, string>();
function addressOf(request: GeneratedRequest): string {
  const known = addresses.get(request);
  if (known !== undefined) return known;
  requestCount += 1;
  const address = `10.${requestCount >> 16}.${(requestCount >> 8) & 255}.${requestCount & 255}`;
  addresses.set(request, address);
  return address;
}

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Sends a request as it is. `fetch()` would resolve `..` first. */
function send({
  url,
  method,
  headers,
  body,
}: Sent): Promise<{ readonly status: number; readonly text: string; readonly headers: IncomingHttpHeaders }> {
  const { hostname, port, origin } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path: url.slice(origin.length), method, headers, agent }, (response) => {
      const { statusCode, headers: received } = response;
      textOf(response).then((text) => resolve({ status: statusCode!, text, headers: received }), reject);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close a connection at the moment when it is used again.
      if (sent.reusedSocket && error.code === 'ECONNRESET') send({ url, method, headers, body }).then(resolve, reject);
      else reject(new Error(`${method} ${url}`, { cause: error }));
    });
    sent.end(body);
  });
}

async function outcomeAt({ urls, credentials, own, ...target }: Target, request: GeneratedRequest): Promise<Outcome> {
  const authorization = credentials[request.credential];
  // The mock has all doors on one port, and chooses by the path.
  const isLink = /^\/[dsr]\//.test(request.target);
  const isOperator = /^\/(v2\/operator\/|metrics$)/.test(request.target);
  const url = urls[isLink ? 'files' : isOperator ? 'operator' : 'api'] + own(request.target);
  const headers = {
    ...request.headers,
    ...target.headers,
    'X-Forwarded-For': addressOf(request),
    ...(authorization !== undefined && { Authorization: authorization }),
  };
  const as = (method: string) => {
    const body = ['GET', 'HEAD'].includes(method) ? undefined : request.body && own(request.body);
    return send({ url, method, headers, body });
  };
  const { status, text, headers: received } = await as(request.method);
  const compared = comparedHeaders(received, (value) => withoutAddresses(value, urls));
  if (status < 400) return { status, code: undefined, headers: compared };
  // A response to HEAD has no body, and the code of GET.
  return { status, code: codeIn(request.method === 'HEAD' ? (await as('GET')).text : text), headers: compared };
}

/** The mock has one address for all doors. */
function withoutAddresses(text: string, urls: Target['urls']): string {
  return Object.values(urls).reduce((left, url) => left.replaceAll(url, ''), text);
}

/** The codes of texts, which are the messages of the envelope. */
const codeOfMessage: ReadonlyMap<string, string> = new Map(
  Object.entries(errors.envelope).map(([code, { message }]) => [message, code]),
);

/** Returns the code of an error: of the envelope, of the AI gateway, of OAuth, or the beginning of a git reply. */
function codeIn(text: string): string | undefined {
  try {
    const body = JSON.parse(text);
    return body.code ?? body.error?.code ?? body.error;
  } catch {
    // A message that repeats a value has the account and the files of the server, or those of the examples.
    const same = text
      .trim()
      .replaceAll(/\d{18}/g, accountOfExamples)
      .replace(/ Got "[^"]*"/, ' Got');
    return /^([A-Z0-9_]+):/.exec(text)?.[1] ?? codeOfMessage.get(text.trim()) ?? same;
  }
}

it(
  `the mock refuses what the server refuses, with the same status, code and headers: ${count} generated requests`,
  { timeout: 600_000 },
  async () => {
    const requests = fc.sample(generatedRequest, { numRuns: count, seed: 16 });
    const differences: string[] = [];
    const seen = new Map<string, number>();
    const used = new Set<KnownDifference>();
    const usedHeaders = new Set<KnownHeaderDifference>();
    const wrongHeaders = new Map<string, string>();
    const note = (what: string, row?: KnownDifference) => {
      seen.set(what, (seen.get(what) ?? 0) + 1);
      if (row) used.add(row);
    };
    const queue = requests.values();
    const work = async () => {
      for (const request of queue) {
        const [real, mocked] = await Promise.all([
          serverTarget(request).then((target) => outcomeAt(target, request)),
          outcomeAt(mockTarget(), request),
        ]);
        const row = knownDifference(request, real, mocked);
        if (real.status === mocked.status && real.code === mocked.code) {
          note(real.status < 400 ? 'same success' : 'same refusal');
          for (const { line, known } of headerDifferences(request.operation, real.headers, mocked.headers)) {
            if (known) usedHeaders.add(known);
            else wrongHeaders.set(line, `${request.operation} ${said(real)}`);
          }
        } else if (row) note('known difference', row);
        else
          differences.push(
            `${request.operation} (${request.faults.join('; ')}): server ${said(real)}, mock ${said(mocked)}; ` +
              `${request.method} ${request.target.slice(0, 120)} ${request.body?.slice(0, 120) ?? ''}`,
          );
      }
    };
    await Promise.all(Array.from({ length: 2 }, work));
    expect(differences, JSON.stringify(Object.fromEntries(seen))).toEqual([]);
    expect([...wrongHeaders]).toEqual([]);
    // A generator that makes only valid or only broken requests would prove little.
    expect(seen.get('same success')).toBeGreaterThan(count / 2);
    expect(seen.get('same refusal')).toBeGreaterThan(count / 4);
    expect(seen.get('known difference')).toBeLessThan(count / 30);
    if (!isLong) return;
    const unused = [
      ...knownDifferences.filter((row) => !used.has(row)),
      ...knownHeaderDifferences.filter((row) => !usedHeaders.has(row)),
    ];
    expect(unused.map(({ why }) => why)).toEqual([]);
  },
);

function said({ status, code }: Outcome): string {
  return `${status} ${code ?? ''}`.trim();
}
