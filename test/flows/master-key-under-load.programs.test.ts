import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { RunningServer } from '#server/start.ts';
import { createAccount } from '#server/domain/access/create-account.ts';
import { createOperatorKey } from '#server/domain/operator/create-operator-key.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import { ask, type Answer } from '#test/faults/client.ts';
import { exchange } from '#test/s3/exchange.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { rotate } from '#test/support/rotation.ts';
import { startTestServer } from '#test/support/server.ts';
import { startTwoServers } from '#test/support/two-servers.ts';
import { TestClock } from '#test/support/clock.ts';
import { because } from '#test/support/programs.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const reloadKeysEveryMs = 100;
const password = 'correct horse battery';

/** A request by its name. It has to succeed at every server. */
type Work = readonly [name: string, send: (servers: Servers) => Promise<Pick<Answer, 'status'>>];

/** Picks a server for each request, so that one makes what another one takes. */
interface Servers {
  next(): RunningServer;
}

function alternating(servers: readonly RunningServer[]): Servers {
  let turn = 0;
  return { next: () => servers[turn++ % servers.length]! };
}

/** Makes an account with a file, and returns mixed requests that hang on the master key. */
async function workOf(servers: Servers): Promise<Work[]> {
  const { stores } = servers.next().app;
  const { credential } = await createAccount(stores, { name: 'load', plan: 'enterprise' });
  const operator = (await createOperatorKey(stores, { name: 'load', by: serverActor })).credential;
  const api = (path: string, init: RequestInit & { readonly credential?: string } = {}) =>
    ask(servers.next().urls.api + path, { credential, ...init });
  const post = (path: string, body: unknown) => api(path, { method: 'POST', body: JSON.stringify(body) });
  const put = (name: string) =>
    api(`/v1/objects?${new URLSearchParams({ name, private: 'true' })}`, {
      method: 'POST',
      body: formWith(someBytes()),
    });
  const { id } = (await put('first')).json.response;
  await put('second');
  const files = (path: string, init: RequestInit = {}) =>
    ask(servers.next().urls.files + path, { redirect: 'manual', ...init });
  const link = async () =>
    new URL((await api(`/v1/objects/download?object=${id}&redirect=false`)).json.response.url).pathname;
  const oldLink = await link();
  const share = async (body: object = {}) => (await post('/v1/shares', { object: id, ...body })).json.response.id;
  const [oldShare, locked] = [await share(), await share({ password })];
  const token = async () => (await post('/v1/upload-tokens', { max_uses: 100 })).json.response.token;
  const oldTokens = await Promise.all(Array.from({ length: 20 }, token));
  const page = async () => (await api('/v1/objects?limit=1')).json.response.continuationToken;
  const oldCursor = await page();
  const pairOf = async () => (await api('/v1/s3/credentials')).json.response;
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = await pairOf();
  const s3 = (method: string, path: string, body = '') =>
    exchange({ url: servers.next().urls.s3, accessKeyId, secretAccessKey }, { method, path, body });
  const byToken = (sent: string, name: string) =>
    ask(`${servers.next().urls.api}/v1/objects?${new URLSearchParams({ name })}`, {
      method: 'POST',
      credential: sent,
      body: formWith(someBytes()),
    });
  let count = 0;
  return [
    ['an API key', () => api('/v1/objects?limit=1')],
    ['an upload', () => put(`file-${count++}`)],
    [
      'an operator key',
      () => ask(`${servers.next().urls.operator}/v2/operator/installation`, { credential: operator }),
    ],
    ['an old link', () => files(oldLink)],
    ['a new link', async () => files(await link())],
    ['an old share link', () => files(`/s/${oldShare}`)],
    [
      'a new share link',
      async () => {
        const made = await share();
        const opened = await files(`/s/${made}`);
        return opened.status === 200
          ? api('/v1/shares', { method: 'DELETE', body: JSON.stringify({ id: made }) })
          : opened;
      },
    ],
    [
      'a locked share link',
      async () => {
        const answer = await files(`/s/${locked}`, { method: 'POST', body: new URLSearchParams({ password }) });
        if (answer.status !== 303) return answer;
        return files(`/s/${locked}`, { headers: { Cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! } });
      },
    ],
    ['an old upload token', () => byToken(oldTokens[count % oldTokens.length]!, `token-${count++}`)],
    ['a new upload token', async () => byToken(await token(), `token-${count++}`)],
    ['an old cursor', () => api(`/v1/objects?limit=1&continuationToken=${encodeURIComponent(oldCursor)}`)],
    ['a new cursor', async () => api(`/v1/objects?limit=1&continuationToken=${encodeURIComponent(await page())}`)],
    ['an S3 read', () => s3('GET', '/private')],
    ['an S3 write', () => s3('PUT', `/private/s3-${count++}`, 'x'.repeat(600))],
    [
      'a chunked upload',
      async () => {
        const started = await api(`/v1/objects/chunked?name=big-${count++}`, { method: 'POST' });
        const handle = started.json.response.upload;
        const status = await api(`/v1/objects/chunked?${new URLSearchParams({ upload: handle })}`);
        if (status.status !== 200) return status;
        return api('/v1/objects/chunked', { method: 'DELETE', body: JSON.stringify({ upload: handle }) });
      },
    ],
    [
      'a device code',
      async () => {
        const body = JSON.stringify({ client_name: 'load', scopes: ['blob:read'] });
        const { device_code } = (await ask(`${servers.next().urls.api}/v2/auth/device`, { method: 'POST', body })).json;
        const asked = await ask(`${servers.next().urls.api}/v2/auth/device/token`, {
          method: 'POST',
          body: JSON.stringify({ device_code }),
        });
        return { status: asked.json.error === 'authorization_pending' ? 200 : asked.status };
      },
    ],
  ];
}

/** Returns what a failed response says. */
function codeOf(outcome: object): object {
  if ('error' in outcome) return { error: String(outcome.error) };
  return { code: 'json' in outcome && (outcome.json as { code?: string } | undefined)?.code };
}

/** Sends requests of all kinds in parallel until it is stopped. Returns what failed, and how many were sent. */
function load(servers: Servers, work: readonly Work[]) {
  let isStopped = false;
  const failed: unknown[] = [];
  let sent = 0;
  const lane = async ([name, send]: Work) => {
    while (!isStopped) {
      const outcome = await send(servers).catch((error: unknown) => ({ status: 0, error }));
      sent++;
      if (outcome.status < 200 || outcome.status >= 300)
        failed.push({ name, status: outcome.status, ...codeOf(outcome) });
      await sleep(5);
    }
  };
  const lanes = work.map(lane);
  return {
    sent: () => sent,
    async stop() {
      isStopped = true;
      await Promise.all(lanes);
      return failed;
    },
  };
}

/** Rotates while requests of all kinds go on, and waits until all kinds have come many times with the new key. */
async function rotateUnderLoad(servers: readonly RunningServer[], dataDir: string, env = {}): Promise<void> {
  const both = alternating(servers);
  const work = await workOf(both);
  const running = load(both, work);
  const rounds = async (count: number) => {
    const until = running.sent() + count * work.length;
    while (running.sent() < until) await sleep(50);
  };
  await rounds(1);
  await rotate({ dataDir }, { env, waitMs: 10 * reloadKeysEveryMs });
  await rounds(isLong ? 50 : 3);
  for (const { app } of servers) expect(app.stores.secrets.keyNumber).toBe(2);
  await Promise.all(servers.map(({ app }) => app.jobs.runNow()));
  await rounds(1);
  expect(await running.stop()).toEqual([]);
}

describe('a rotation of the master key while requests of all kinds go on', () => {
  it('fails none of them over SQLite', async () => {
    const clock = new (class extends TestClock {
      override now(): number {
        return Date.now();
      }
    })();
    const server = await startTestServer({ reloadKeysEveryMs, ownStores: true, clock });
    await rotateUnderLoad([server.running], server.dataDir);
  });

  it.skipIf(noPostgres())(`fails none of them on two servers over PostgreSQL${because(noPostgres())}`, async () => {
    const pair = await startTwoServers({}, { reloadKeysEveryMs });
    onTestFinished(() => pair.stop());
    await rotateUnderLoad(pair.servers, pair.dataDir, { CUBBY_DATABASE_URL: pair.databaseUrl });
  });
});
