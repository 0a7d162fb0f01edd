import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { formWith, someBytes } from '#test/support/files.ts';
import { durable, startCluster } from '#test/support/postgres/cluster.ts';
import { noStandby } from '#test/support/postgres/programs.ts';
import { changePostgres, fileBlobs } from '#test/support/stored.ts';
import { fileLoad } from './load/files.ts';
import { runLoads } from './load/load.ts';
import { shareLoad } from './load/shares.ts';
import { tokenLoad } from './load/tokens.ts';
import { startReplicas } from './replicas.ts';
import { expectOrder } from './stored-state.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const missing = noStandby();

describe.skipIf(missing)(`a failover of PostgreSQL under load${missing ? ` (skipped: ${missing})` : ''}`, () => {
  it('loses nothing that was acknowledged, and takes writes within 10 s', { timeout: 240_000 }, async () => {
    const primary = await startCluster(durable);
    onTestFinished(() => primary.stop());
    const standby = await primary.standby();
    onTestFinished(() => standby.stop());
    await changePostgres(primary.url(), "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await changePostgres(primary.url(), 'SELECT pg_reload_conf()');
    await changePostgres(primary.url(), 'CREATE DATABASE cubby TEMPLATE template0');

    const address = new URL(primary.url('cubby'));
    const both = address.href.replace(address.host, `${address.host},127.0.0.1:${standby.port}`);
    const replicas = await startReplicas({ databaseUrls: [both, both] });
    onTestFinished(() => replicas.close());
    const accounts = await Promise.all(Array.from({ length: 3 }, () => replicas.at(0).account()));
    const loads = [fileLoad(accounts[0]!), shareLoad(accounts[1]!), tokenLoad(accounts[2]!)];
    let backMs = Infinity;
    await runLoads(replicas, loads, async (signal) => {
      await sleep(isLong ? 20_000 : 2_000, undefined, { signal });
      await primary.kill();
      const killedAt = performance.now();
      await standby.promote();
      const credential = accounts[0]!.credential;
      const probe = await replicas.send('/v1/objects?name=probe', {
        method: 'POST',
        credential,
        body: formWith(someBytes()),
      });
      backMs = performance.now() - killedAt;
      expect(probe.status).toBe(200);
      await sleep(isLong ? 20_000 : 2_000, undefined, { signal });
    });
    await expectOrder(standby.url('cubby'), fileBlobs(replicas.dataDir));
    for (const load of loads) expect(await load.check(replicas)).toEqual([]);
    expect(backMs, `writes came back after ${backMs} ms`).toBeLessThan(10_000);
    console.log(`writes were back after ${Math.round(backMs)} ms: ${loads.map((load) => load.summary()).join('; ')}`);
  });
});
