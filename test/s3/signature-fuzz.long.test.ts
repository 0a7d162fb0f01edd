import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bytesOf, exchange, readAnswer, sendBytes, textOf, textsOf, type S3Answer } from './exchange.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { numbersFrom } from '#test/support/numbers-from.ts';
import { mutate } from './mutation.ts';
import { payloads, presign, sign, type Endpoint, type Wire } from './signed-request.ts';

const mutations = process.env.CUBBY_TEST_LONG === '1' ? 100_000 : 500;
const workers = 8;
const patienceMs = 1000;
/** The time limit of a response. In the long run the machine can be busy. */
const longPatienceMs = 60_000;
const content = 'What a signature protects. '.repeat(40);
const path = '/private/fuzzed/a%20b%2Bc.txt';
/** Signed when the bytes are not, because nothing else would protect the number of bytes. */
const length = { 'content-length': String(Buffer.byteLength(content)) };
const headers = { 'content-type': 'text/x-fuzz', 'x-amz-meta-colour': 'green', 'cache-control': 'max-age=60' };

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

/** A valid request, and whether its signature covers the bytes of its body. */
interface Base {
  readonly name: string;
  readonly bytes: Buffer;
  readonly method: string;
  readonly protectsBody: boolean;
}

function basesOf(endpoint: Endpoint): Base[] {
  const base = (name: string, wire: Wire, protectsBody = true): Base => ({
    name,
    bytes: bytesOf(wire),
    method: wire.method,
    protectsBody,
  });
  const host = new URL(endpoint.url).host;
  const presigned = (method: string, body: string) => {
    const signed: Record<string, string> = method === 'PUT' ? { ...headers, ...length } : {};
    const target = presign(endpoint, {
      method,
      path,
      headers: signed,
      ...(method === 'GET' && { query: { 'response-content-type': 'text/x-other' } }),
    });
    return { method, target, headers: [['host', host] as const, ...Object.entries(signed)], body: Buffer.from(body) };
  };
  return [
    ...payloads.map((payload) =>
      base(
        `PUT ${payload}`,
        sign(endpoint, {
          method: 'PUT',
          path,
          headers: payload === 'unsigned' ? { ...headers, ...length } : headers,
          body: content,
          payload,
        }),
        payload !== 'unsigned',
      ),
    ),
    base(
      'GET',
      sign(endpoint, { path, query: { 'response-cache-control': 'max-age=7' }, headers: { range: 'bytes=0-99' } }),
    ),
    base('HEAD', sign(endpoint, { method: 'HEAD', path })),
    base('DELETE', sign(endpoint, { method: 'DELETE', path })),
    base(
      'list',
      sign(endpoint, { path: '/private', query: { 'list-type': '2', prefix: 'fuzzed/', 'max-keys': '10' } }),
    ),
    base(
      'DeleteObjects',
      sign(endpoint, {
        method: 'POST',
        path: '/private',
        query: { delete: '' },
        body: '<Delete><Object><Key>fuzzed/a b+c.txt</Key></Object></Delete>',
      }),
    ),
    base(
      'copy',
      sign(endpoint, { method: 'PUT', path: '/private/fuzzed/copy', headers: { 'x-amz-copy-source': path.slice(1) } }),
    ),
    base('presigned GET', presigned('GET', '')),
    base('presigned PUT', presigned('PUT', content), false),
  ];
}

/** A base, and its outcome when it is sent unchanged. */
interface Tried extends Base {
  readonly meaning: string;
  readonly state: string;
}

/** An account with one file, and requests about it. */
interface Target {
  readonly own: Endpoint;
  readonly bases: readonly Tried[];
  /** The state before each request. */
  readonly initial: string;
}

/** Returns the outcome of each base, which is the same for every account. */
async function expectations(gateway: Gateway): Promise<ReadonlyMap<string, Pick<Tried, 'meaning' | 'state'>>> {
  const own = await gateway.other();
  const found = new Map<string, Pick<Tried, 'meaning' | 'state'>>();
  for (const { name, bytes, method } of basesOf(own)) {
    await reset(own);
    const answer = await send(own, bytes, method);
    expect(answer?.status, `${name}: ${answer?.text}`).toBeLessThan(300);
    found.set(name, { meaning: meaningOf(answer!), state: await stateOf(own) });
  }
  return found;
}

async function prepare(gateway: Gateway, expected: Awaited<ReturnType<typeof expectations>>): Promise<Target> {
  const { client, url, accessKeyId, secretAccessKey } = await gateway.other();
  client.destroy();
  // Leaves out the client, because a long run has thousands of accounts.
  const own = { url, accessKeyId, secretAccessKey };
  await reset(own);
  return {
    own,
    bases: basesOf(own).map((base) => ({ ...base, ...expected.get(base.name)! })),
    initial: await stateOf(own),
  };
}

async function reset(own: Endpoint): Promise<void> {
  for (const key of ['fuzzed/copy', 'other'])
    await exchange(own, { method: 'DELETE', path: `/private/${key}` }, longPatienceMs);
  const { status, text } = await exchange(own, { method: 'PUT', path, headers, body: content }, longPatienceMs);
  expect(status, text).toBe(200);
}

/** Returns everything that an account has, and so everything that a request can have changed. */
async function stateOf(endpoint: Endpoint): Promise<string> {
  const seen: unknown[] = [];
  for (const bucket of ['private', 'public']) {
    const { text } = await exchange(endpoint, { path: `/${bucket}` }, longPatienceMs);
    for (const key of textsOf(text, 'Key')) {
      const { headers: found } = await exchange(
        endpoint,
        { method: 'HEAD', path: `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}` },
        longPatienceMs,
      );
      seen.push(
        bucket,
        key,
        found.etag,
        found['content-type'],
        found['cache-control'],
        Object.entries(found).filter(([name]) => name.startsWith('x-amz-meta')),
        found['content-encoding'],
      );
    }
  }
  return JSON.stringify(seen);
}

/** Returns a response without the values that differ between two equal requests. */
function meaningOf({ status, headers: found, text }: S3Answer): string {
  const told = ['content-type', 'content-length', 'content-range', 'etag', 'cache-control'].map((name) => found[name]);
  return JSON.stringify([status, told, text.replaceAll(/<LastModified>[^<]*</g, '<')]);
}

/**
 * Returns whether the bytes were refused before they became a request: by S3's error, or by Node for a missing Host.
 */
function isFromBelow({ headers: found, text }: S3Answer): boolean {
  return (
    found['x-amz-request-id'] === undefined ||
    ['BadRequest', 'RequestHeaderSectionTooLarge', 'RequestTimeout'].includes(textOf(text, 'Code') ?? '')
  );
}

async function send(endpoint: Endpoint, bytes: Buffer, method: string): Promise<S3Answer | undefined> {
  const heard = await sendBytes(endpoint.url, bytes, patienceMs).catch(() => Buffer.alloc(0));
  return heard.length === 0 ? undefined : readAnswer(heard, method);
}

describe('requests whose bytes are changed on the way', () => {
  it(
    `are refused or do what was signed, and never cause a fault (${mutations.toLocaleString('en')} changes)`,
    { timeout: mutations * 60 + 60_000 },
    async () => {
      const seed = randomInt(2 ** 31);
      const problems: string[] = [];
      const counts = { refused: 0, accepted: 0, silent: 0 };
      const startedAt = performance.now();

      const expected = await expectations(gateway);
      const work = async (worker: number): Promise<void> => {
        const random = numbersFrom(seed + worker);
        let target = await prepare(gateway, expected);
        // Without a response, the server can still be working on the signed request. Such accounts are checked at the
        // end.
        const left: Array<{
          readonly endpoint: Endpoint;
          readonly states: readonly string[];
          readonly report: (what: string) => void;
        }> = [];
        for (let done = 0; done < mutations / workers && problems.length < 5; done++) {
          if (done % 1000 === 999) {
            console.log(
              `worker ${worker}: ${done + 1} after ` +
                `${((performance.now() - startedAt) / 1000).toFixed(0)} s, all together`,
              counts,
              problems,
            );
            target = await prepare(gateway, expected); // before the signatures' 15 minutes are over
          }
          const { own, bases, initial } = target;
          const { name, bytes, method, protectsBody, meaning, state } = bases[Math.floor(random() * bases.length)]!;
          const mutated = mutate(bytes, random, { keepsBody: !protectsBody });
          const answer = await send(own, mutated, method);
          const report = (what: string) =>
            void problems.push(
              `${what}\nseed ${seed + worker}, mutation ${done} of ` +
                `${name}:\n${mutated.toString('latin1').slice(0, 1500)}\nanswered ${answer?.status} ` +
                `${answer?.text.slice(0, 300)}`,
            );
          if (!answer) {
            counts.silent++;
            left.push({ endpoint: own, states: [initial, state], report });
            target = await prepare(gateway, expected);
          } else if (answer.status >= 500) report('A fault.');
          else if (answer.status >= 300) {
            counts.refused++;
            // Bytes that never became a request must have changed nothing. Bytes after a whole request get another
            // response.
            if (isFromBelow(answer) && (await stateOf(own)) !== initial)
              report('Refused as no request, and something was done.');
          } else {
            counts.accepted++;
            const found = [meaningOf(answer), await stateOf(own)];
            if (found[0] !== meaning || found[1] !== state)
              report(`Accepted with another meaning: ${found}\ninstead of ${meaning},${state}`);
            await reset(own);
          }
        }
        await sleep(500);
        for (const { endpoint, states, report } of left) {
          const state = await stateOf(endpoint);
          if (!states.includes(state)) report(`Not answered by S3, and something else done: ${state}`);
        }
      };
      await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
      expect(problems).toEqual([]);
      // Most of them must have reached the signature check.
      expect(counts.refused).toBeGreaterThan(mutations / 2);
      expect(counts.silent).toBeLessThan(mutations / 10);
    },
  );
});
