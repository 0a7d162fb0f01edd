import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { rawSend } from '#test/contract/bad-input/raw-request.ts';
import { TestClock } from '#test/support/clock.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { asking, expectLetThrough, expectRefused, limitsOf, times } from './asking.ts';

const clock = new TestClock();
let dataDir: string;
let server: TestServer;
const { list, info, remove } = asking(() => server);

const start = () => startTestServer({ rateLimits: true, dataDir, clock, env: { CUBBY_TRUSTED_PROXIES: 'loopback' } });

async function restart(): Promise<void> {
  await server.stop();
  server = await start();
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cubby-restart-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const s3Credentials = ({ credential }: TestAccount) => rawSend(server, { path: '/v1/s3/credentials', credential });

describe('a restart', () => {
  it('lifts no block: of a route, of an account, of an address', async () => {
    server = await start();
    const [lister, poor] = [await server.account(), await server.account('none')];
    const from = '203.0.113.7';
    await times(31, () => list(lister));
    clock.advance(5_000);
    await times(6, () => info(poor));
    clock.advance(5_000);
    for (let round = 0; round < 31; round++) await info({ ...lister, credential: 'wrong', from });

    await restart();
    expectRefused(await list(lister), 20);
    expectRefused(await remove(poor), 55);
    expectRefused(await info({ ...lister, from }), 300);
    expectLetThrough([await info(lister)]);

    clock.advance(19_999);
    expectRefused(await list(lister), 1);
    clock.advance(1);
    expectLetThrough(await times(30, () => list(lister)));

    await restart();
    clock.advance(34_999);
    expectRefused(await info(poor), 1);
    clock.advance(1);
    expectLetThrough(await times(5, () => info(poor)));
    clock.advance(244_999);
    expectRefused(await info({ ...lister, from }), 1);
    clock.advance(1);
    expectLetThrough([await info({ ...lister, from })]);
  });

  it('keeps the counts of windows of more than a minute', async () => {
    server = await start();
    const account = await server.account();
    for (let round = 0; round < 4; round++) expectLetThrough([await s3Credentials(account)]);
    clock.advance(600_000);
    await restart();
    expect(limitsOf(await s3Credentials(account))['s3-credentials']).toEqual({
      quota: 10,
      windowSeconds: 3600,
      remaining: 5,
      resetSeconds: 3000,
    });
    expectLetThrough(await times(5, () => s3Credentials(account)));
    await restart();
    expectRefused(await s3Credentials(account), 3000);
    clock.advance(2_999_999);
    expectRefused(await s3Credentials(account), 1);
    clock.advance(1);
    expectLetThrough([await s3Credentials(account)]);
  });

  it('does not restore a block that ended while the server was down', async () => {
    server = await start();
    const account = await server.account('none');
    await times(6, () => info(account));
    await server.stop();
    clock.advance(60_000);
    server = await start();
    expectLetThrough(await times(5, () => info(account)));
    expectRefused(await info(account), 60);
  });
});
