import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { Answer } from '#test/faults/client.ts';
import { completionsPath } from '#test/support/chat.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { durable, startCluster } from '#test/support/postgres/cluster.ts';
import { noStandby } from '#test/support/postgres/programs.ts';
import type { TestAccount } from '#test/support/server.ts';
import { changePostgres, fileBlobs } from '#test/support/stored.ts';
import { fileLoad } from './load/files.ts';
import { runLoads } from './load/load.ts';
import { shareLoad } from './load/shares.ts';
import { tokenLoad } from './load/tokens.ts';
import { startReplicas, type Replicas } from './replicas.ts';
import { expectOrder } from './stored-state.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const missing = noStandby();

/** How long writes may fail. */
const boundMs = 10_000;

/** Two replicas over a primary with a synchronous standby. */
async function start(env: Readonly<Record<string, string>> = {}) {
  const primary = await startCluster(durable);
  onTestFinished(() => primary.stop());
  const standby = await primary.standby();
  onTestFinished(() => standby.stop());
  await changePostgres(primary.url(), "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await changePostgres(primary.url(), 'SELECT pg_reload_conf()');
  await changePostgres(primary.url(), 'CREATE DATABASE cubby TEMPLATE template0');
  const address = new URL(primary.url('cubby'));
  const both = address.href.replace(address.host, `${address.host},127.0.0.1:${standby.port}`);
  const replicas = await startReplicas({ databaseUrls: [both, both], env });
  onTestFinished(() => replicas.close());
  /** Kills the primary, and promotes the standby. Resolves with how long no write succeeded. */
  const failOver = async ({ credential }: TestAccount): Promise<number> => {
    await primary.kill();
    const killedAt = performance.now();
    await standby.promote();
    const body = formWith(someBytes());
    const probe = await replicas.send('/v1/objects?name=probe', { method: 'POST', credential, body });
    expect(probe.status).toBe(200);
    return performance.now() - killedAt;
  };
  return { primary, standby, replicas, failOver };
}

describe.skipIf(missing)(`a failover of PostgreSQL${missing ? ` (skipped: ${missing})` : ''}`, () => {
  it('under load loses nothing that was acknowledged, and takes writes within 10 s', { timeout: 240_000 }, async () => {
    const { standby, replicas, failOver } = await start();
    const accounts = await Promise.all(Array.from({ length: 3 }, () => replicas.at(0).account()));
    const loads = [fileLoad(accounts[0]!), shareLoad(accounts[1]!), tokenLoad(accounts[2]!)];
    let backMs = Infinity;
    await runLoads(replicas, loads, async (signal) => {
      await sleep(isLong ? 20_000 : 2_000, undefined, { signal });
      backMs = await failOver(accounts[0]!);
      await sleep(isLong ? 20_000 : 2_000, undefined, { signal });
    });
    await expectOrder(standby.url('cubby'), fileBlobs(replicas.dataDir));
    for (const load of loads) expect(await load.check(replicas)).toEqual([]);
    expect(backMs, `writes came back after ${backMs} ms`).toBeLessThan(boundMs);
    console.log(`writes were back after ${Math.round(backMs)} ms: ${loads.map((load) => load.summary()).join('; ')}`);
  });

  it('keeps blocks, wrong tries of passwords and spent AI budgets', { timeout: 240_000 }, async () => {
    const { primary, replicas, failOver } = await start({ CUBBY_RATE_LIMITS: 'on' });
    const account = await replicas.at(0).account();
    const blocked = await replicas.at(1).account('none');
    await changePostgres(
      primary.url('cubby'),
      `UPDATE accounts SET ai_tokens_per_day = 500 WHERE account_id = '${account.id}'`,
    );
    const chatting = () => chat(replicas, account);
    const spent = await until(chatting, ({ json }) => json?.error?.code?.startsWith('daily_'));
    const usage = () => replicas.send('/v2/ai/usage', { credential: account.credential });
    const before = (await usage()).json;
    expect(before.tokens.today.used).toBeGreaterThan(0);
    const link = await protectedLink(replicas, account);
    const guessing = () => guess(replicas, link);
    await until(guessing, ({ status }) => status === 429);
    const stats = () => replicas.send('/v1/account/stats', { credential: blocked.credential });
    await until(stats, ({ status }) => status === 429);

    const backMs = await failOver(account);
    expect(backMs, `writes came back after ${backMs} ms`).toBeLessThan(boundMs);
    for (let at = 0; at < 4; at++) {
      expect((await chatting()).json.error.code).toBe(spent.json.error.code);
      expect((await guessing()).status).toBe(429);
      expect((await stats()).status).toBe(429);
    }
    expect((await usage()).json).toEqual(before);
  });
});

/** Sends a request until its answer is as expected. */
async function until(send: () => Promise<Answer>, isIt: (answer: Answer) => boolean): Promise<Answer> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await send();
    if (isIt(answer)) return answer;
  }
  throw new Error('200 requests got no such answer.');
}

function chat(replicas: Replicas, { credential }: TestAccount): Promise<Answer> {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Tell me about blobs.' }] });
  return replicas.send(completionsPath, { method: 'POST', credential, body });
}

/** Returns the path of a link that asks for a password. */
async function protectedLink(replicas: Replicas, { credential }: TestAccount): Promise<string> {
  const file = { method: 'POST', credential, body: formWith(someBytes()) };
  const { json } = await replicas.send('/v1/objects?name=protected', file);
  const body = JSON.stringify({ object: json.response.id, password: 'correct horse' });
  const share = await replicas.send('/v1/shares', { method: 'POST', credential, body });
  return `/s/${share.json.response.id}`;
}

function guess(replicas: Replicas, path: string): Promise<Answer> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return replicas.send(path, { door: 'files', method: 'POST', headers, body: 'password=wrong' });
}
