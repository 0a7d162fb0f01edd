import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { errors } from '#generated/errors.ts';
import { policies } from '#generated/policies.ts';
import { startChatUpstream, type ChatUpstream } from '#mocks/chat-upstream.ts';
import { startMock, type Mock } from '#mocks/mock.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { knownDifference, knownDifferences, type KnownDifference, type Outcome } from './differences.ts';
import { furnishedAccount } from './furnished-account.ts';
import { accountOfExamples, generatedRequest, type GeneratedRequest } from './generated-requests.ts';

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
  // The mock has all of the AI gateway that an operator may switch on.
  const ai = {
    CUBBY_AI_EMBEDDINGS_MODEL: 'tiny',
    CUBBY_AI_EMBEDDINGS_URL: upstream.url,
    CUBBY_AI_STREAMING: 'on',
    CUBBY_AI_CLIENT_FORMS: 'on',
  };
  const env = { CUBBY_LOG: 'silent', CUBBY_BACKUP_TARGET: join(backups, 'target'), ...ai };
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
  const { credential, ...furnished } = await furnishedAccount(server, request);
  const isOperator = policies[request.operation].credentials.includes('operatorKey');
  const key = isOperator ? await server.operatorKey() : credential;
  return { urls: server.running.urls, credentials: { ...wrong, key, token: credential }, ...furnished };
}

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Sends a request as it is. `fetch()` would resolve `..` first. */
function send({ url, method, headers, body }: Sent): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port, origin } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path: url.slice(origin.length), method, headers, agent }, (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode!, text }), reject);
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
    ...(authorization !== undefined && { Authorization: authorization }),
  };
  const as = (method: string) => {
    const body = ['GET', 'HEAD'].includes(method) ? undefined : request.body && own(request.body);
    return send({ url, method, headers, body });
  };
  const { status, text } = await as(request.method);
  if (status < 400) return { status, code: undefined };
  // A response to HEAD has no body, and the code of GET.
  return { status, code: codeIn(request.method === 'HEAD' ? (await as('GET')).text : text) };
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
  `the mock refuses what the server refuses, with the same status and code: ${count} generated requests`,
  { timeout: 600_000 },
  async () => {
    const requests = fc.sample(generatedRequest, { numRuns: count, seed: 16 });
    const differences: string[] = [];
    const seen = new Map<string, number>();
    const used = new Set<KnownDifference>();
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
        if (real.status === mocked.status && real.code === mocked.code)
          note(real.status < 400 ? 'same success' : 'same refusal');
        else if (row) note('known difference', row);
        else
          differences.push(
            `${request.operation} (${request.faults.join('; ')}): server ${said(real)}, mock ${said(mocked)}; ${request.method} ${request.target.slice(0, 120)} ${request.body?.slice(0, 120) ?? ''}`,
          );
      }
    };
    await Promise.all(Array.from({ length: 2 }, work));
    expect(differences, JSON.stringify(Object.fromEntries(seen))).toEqual([]);
    // A generator that makes only valid or only broken requests would prove little.
    expect(seen.get('same success')).toBeGreaterThan(count / 2);
    expect(seen.get('same refusal')).toBeGreaterThan(count / 4);
    expect(seen.get('known difference')).toBeLessThan(count / 30);
    if (isLong) expect([...used]).toHaveLength(knownDifferences.length);
  },
);

function said({ status, code }: Outcome): string {
  return `${status} ${code ?? ''}`.trim();
}
