import { hostname } from 'node:os';

import { describe, expect, it } from 'vitest';

import { ownVersion } from '#server/version.ts';
import { cubbyHere } from '#test/cli/cubby.ts';
import { metricsOf } from '#test/metrics/scraped.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { createOperatorKey } from '#server/domain/operator/create-operator-key.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import { changePostgres } from '#test/support/stored.ts';
import { startTwoServers } from '#test/support/two-servers.ts';

describe('the servers of an installation over SQLite', () => {
  const listOf = async (server: TestServer) => {
    const credential = await server.operatorKey();
    const answer = await server.send('/v2/operator/replicas', { door: 'operator', credential });
    expect(answer.status).toBe(200);
    return answer.json().response.replicas;
  };

  it('are one, without connections', async () => {
    const server = await startTestServer({ ownStores: true, env: { CUBBY_DATABASE_URL: '' } });
    const startedAt = new Date(server.clock.now()).toISOString();
    server.clock.advance(60_000);
    const [one, ...others] = await listOf(server);
    expect(others).toEqual([]);
    expect(one).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      host: hostname(),
      version: ownVersion(),
      started_at: startedAt,
      seen_at: new Date(server.clock.now()).toISOString(),
      leases: [],
      pool: null,
      round_trip_ms: null,
      clock_lag_ms: null,
    });
    expect(await listOf(server)).toEqual([one]);
    const metrics = await metricsOf(server);
    expect(metrics.text).not.toContain('cubby_database_round_trip_seconds');
    const cubby = cubbyHere(server.dataDir, { CUBBY_API_PORT: '0', CUBBY_LOG: 'silent', CUBBY_MIN_FREE_BYTES: '0' });
    const shown = (await cubby.json('replicas', 'list')) as { replicas: Array<Record<string, unknown>> };
    expect(shown.replicas).toEqual([{ ...one, seen_at: expect.any(String) }]);
    await server.running.stop();
    expect(await cubby.json('replicas', 'list')).toEqual({ replicas: [] });
  });
});

describe.skipIf(noPostgres())(`the servers of an installation over PostgreSQL${because(noPostgres())}`, () => {
  it('are listed with their leases, connections, round trips and clocks, until they are gone', async () => {
    const pair = await startTwoServers();
    try {
      const { stores } = pair.servers[0].app;
      const { credential } = await createOperatorKey(stores, { name: 'replicas', by: serverActor });
      const list = async (index: number) => {
        const url = `${pair.servers[index]!.urls.operator}/v2/operator/replicas`;
        const answer = await fetch(url, { headers: { Authorization: credential } });
        expect(answer.status).toBe(200);
        const { response } = (await answer.json()) as { response: { replicas: any[] } };
        return response.replicas;
      };
      const ids = pair.servers.map(({ app }) => app.stores.shared!.owner());
      const lease = (await stores.shared!.jobLeases.take('scrub', 0))!;
      const [held] = await stores.shared!.accountLeases.take('delete-expired', ['123456789012345678']);
      await expect.poll(async () => (await list(1)).every((one: any) => one.round_trip_ms !== null)).toBe(true);
      const replicas = await list(1);
      expect(replicas.map(({ id }: any) => id)).toEqual(ids);
      for (const one of replicas) {
        expect(one).toMatchObject({ host: hostname(), version: ownVersion(), pool: { size: 20, waiting: 0 } });
        expect(one.round_trip_ms).toBeGreaterThan(0);
        expect(one.round_trip_ms).toBeLessThan(5_000);
        expect(Math.abs(one.clock_lag_ms)).toBeLessThan(5_000);
        expect(Math.abs(Date.parse(one.seen_at) - Date.now())).toBeLessThan(30_000);
        expect(Date.parse(one.started_at)).toBeLessThanOrEqual(Date.parse(one.seen_at));
      }
      expect(replicas[0].leases).toEqual([
        { job: 'delete-expired', account_id: '123456789012345678' },
        { job: 'scrub', account_id: null },
      ]);
      expect(replicas[1].leases).toEqual([]);
      await stores.shared!.jobLeases.end(lease);
      await stores.shared!.accountLeases.end([held!]);
      expect((await list(1))[0].leases).toEqual([]);

      const metrics = await (await fetch(`${pair.servers[0].urls.operator}/metrics`)).text();
      expect(Number(/^cubby_database_round_trip_seconds (\S+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
      expect(Math.abs(Number(/^cubby_clock_lag_seconds (\S+)$/m.exec(metrics)?.[1]))).toBeLessThan(5);

      // A command is none of them, and neither is one that is gone.
      const cubby = cubbyHere(pair.dataDir, { CUBBY_DATABASE_URL: pair.databaseUrl, CUBBY_LOG: 'silent' });
      const shown = (await cubby.json('replicas', 'list')) as { replicas: ReadonlyArray<{ id: string }> };
      expect(shown.replicas.map(({ id }) => id)).toEqual(ids);
      await changePostgres(
        pair.databaseUrl,
        `INSERT INTO replicas (replica_id, leased_until, version, host, product_version, started_at, seen_at)
         VALUES ('killed', ${Number.MAX_SAFE_INTEGER}, 1, 'cubby-3', '0.1.0', 1, 2)`,
      );
      expect((await list(0)).map(({ id }: any) => id)).toEqual(['killed', ...ids]);
      await changePostgres(pair.databaseUrl, "UPDATE replicas SET leased_until = 0 WHERE replica_id = 'killed'");
      await expect.poll(async () => (await list(0)).map(({ id }: any) => id)).toEqual(ids);
      await pair.servers[0].stop();
      expect((await list(1)).map(({ id }: any) => id)).toEqual(ids.slice(1));
    } finally {
      await pair.stop();
    }
  });
});
