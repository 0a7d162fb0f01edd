import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { someBytes } from '#test/support/files.ts';
import { durable, startCluster, type PostgresCluster } from '#test/support/postgres/cluster.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { requestsPerSecond, uploadRequest } from './load.ts';
import { limitProcessor, type LimitedProcess } from './processor-share.ts';
import { median, rounded, type Report } from './report.ts';

const smallBytes = 4096;
const connections = 64;
const durationMs = 4_000;
const rounds = 3;
const manyAccounts = 64;

/** What a server gets of a processor, so that the database and the clients have enough even beside two of them. */
const limitedShare = 0.25;

/** Half of the 2 ms of network between a server and its database. */
const delayMs = 1;

const names = {
  one: 'many accounts, over the network',
  two: 'many accounts, two servers over the network',
  oneLimited: `many accounts, a server with ${limitedShare} of a processor`,
  twoLimited: `many accounts, two servers with ${limitedShare} of a processor each`,
};

/** Measures servers over PostgreSQL, with and without a network between, and two servers beside one. */
export async function scale({ say, row }: Report): Promise<void> {
  const missing = noPostgres();
  if (missing !== undefined) return say(`skipped: ${missing}`);
  const folder = await mkdtemp(join(tmpdir(), 'cubby-bench-'));
  const cluster = await startCluster(durable);
  const network = await startNetwork(cluster, delayMs);
  const servers: SpawnedServer[] = [];
  const limited: Array<LimitedProcess | undefined> = [];
  try {
    const roundTripMs = await roundTripOf(cluster, network.port);
    const far = (): Promise<SpawnedServer> => startOver(cluster, join(folder, 'data'), network.port);
    servers.push(await far(), await far(), await startOver(cluster, join(folder, 'data')));
    const [one, two, near] = servers as [SpawnedServer, SpawnedServer, SpawnedServer];
    const accounts = await Promise.all(Array.from({ length: manyAccounts }, () => one.account()));
    const credentials = accounts.map(({ credential }) => credential);
    const figures = new Map<string, number[]>();
    const measure = async (what: string, at: readonly SpawnedServer[], who: readonly string[]): Promise<void> => {
      const rate = await uploadsPerSecond(at, who, `${what.length}-${figures.get(what)?.length ?? 0}`);
      figures.set(what, [...(figures.get(what) ?? []), rate]);
    };
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`);
      await measure('one account, over the network', [one], credentials.slice(0, 1));
      await measure(names.one, [one], credentials);
      await measure(names.two, [one, two], credentials);
      await measure('one account, database beside the server', [near], credentials.slice(0, 1));
      await measure('many accounts, database beside it', [near], credentials);
    }
    row('round trip of the network', `${roundTripMs.toFixed(1)} ms`, 'a proxy that delays, with an empty statement');
    limited.push(...(await Promise.all([one, two].map(({ pid }) => limitProcessor(pid, limitedShare)))));
    if (limited.every(Boolean)) {
      say('servers that share no processor');
      for (let round = 1; round <= rounds; round++) {
        await measure(names.oneLimited, [one], credentials);
        await measure(names.twoLimited, [one, two], credentials);
      }
    }
    for (const [what, rates] of figures)
      row(`uploads of 4 KiB, ${connections} at a time: ${what}`, `${rounded(median(rates))} /s`);
    const ratio = (of: string, to: string) =>
      `${(median(figures.get(of)!) / median(figures.get(to)!)).toFixed(2)} times`;
    row('two servers beside one', ratio(names.two, names.one), 'they share the processors with the clients');
    if (figures.has(names.twoLimited))
      row('two servers beside one', ratio(names.twoLimited, names.oneLimited), 'each has its own share of a processor');
  } finally {
    for (const one of limited) await one?.lift();
    for (const server of servers) await server.remove();
    for (const one of limited) await one?.remove();
    await network.close();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts a proxy before a database, as a process of its own. */
export async function startNetwork(
  { port: target }: PostgresCluster,
  halfMs: number,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const proxy = fork(join(import.meta.dirname, 'scale-proxy.ts'), [target, halfMs].map(String));
  const [{ port }] = (await once(proxy, 'message')) as [{ readonly port: number }];
  return {
    port,
    async close() {
      const gone = once(proxy, 'exit');
      proxy.disconnect();
      await gone;
    },
  };
}

/** Starts a server over a database. @param port of the proxy before it */
export function startOver(
  cluster: PostgresCluster,
  dataDir: string,
  port = cluster.port,
  database?: string,
): Promise<SpawnedServer> {
  const url = new URL(cluster.url(database));
  url.port = String(port);
  return spawnServer({ dataDir, env: { CUBBY_DATABASE_URL: url.href } });
}

/** Spreads the connections over servers and accounts. */
async function uploadsPerSecond(
  servers: readonly SpawnedServer[],
  credentials: readonly string[],
  run: string,
): Promise<number> {
  const bytes = someBytes(smallBytes);
  const rates = await Promise.all(
    servers.map(({ urls }, at) => {
      const request = (number: number) =>
        uploadRequest(urls.base, credentials[number % credentials.length]!, `small-${run}-${at}-${number}`, bytes);
      return requestsPerSecond({ url: urls.base, connections: connections / servers.length, durationMs, request });
    }),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}

/** Measures an empty statement. @param port of the proxy before the database */
export async function roundTripOf(cluster: PostgresCluster, port: number): Promise<number> {
  const url = new URL(cluster.url());
  url.port = String(port);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const times: number[] = [];
  for (let count = 0; count < 50; count++) {
    const startedAt = performance.now();
    await client.query('');
    times.push(performance.now() - startedAt);
  }
  await client.end();
  return median(times);
}

export async function createDatabase(cluster: PostgresCluster, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url() });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
}
