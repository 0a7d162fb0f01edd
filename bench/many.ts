import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { ask, deleteFiles } from '#test/faults/client.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { exchange } from '#test/s3/exchange.ts';
import type { TestAccount } from '#test/support/server.ts';
import { durable, startCluster } from '#test/support/postgres/cluster.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { median, perSecond, rounded, type Report } from './report.ts';
import { createDatabase, roundTripOf, startNetwork, startOver } from './scale.ts';

const rounds = 3;

/** Half of the 2 ms of network between a server and its database. */
const delayMs = 1;

/** A server and an account with files, which a case changes. */
interface Filled {
  readonly server: SpawnedServer;
  readonly account: TestAccount;
  readonly ids: readonly string[];
}

interface Case {
  readonly name: string;
  readonly files: number;
  /** Other than files in one folder. */
  readonly fill?: { readonly folders?: number; readonly expiredMs?: number };
  /** Whether the figure is a time. Otherwise it is a rate. */
  readonly isTimed?: boolean;
  /** Returns how many files it has changed or listed. */
  readonly work: (filled: Filled) => Promise<number>;
}

const cases: readonly Case[] = [
  { name: 'DeleteObjects of 1,000', files: 1000, work: deleteOverS3 },
  { name: 'REST delete of 100', files: 100, work: deleteOverRest },
  { name: 'Update of 50, which hides them', files: 50, work: hide },
  {
    name: 'expiry of 3,000',
    files: 3000,
    fill: { expiredMs: 1 },
    work: async ({ server }) => (await server.runJob('delete-expired')).count,
  },
  { name: 'folder job: delete 3,000', files: 3000, work: (filled) => inJob(filled, { action: 'delete' }) },
  { name: 'folder job: hide 3,000', files: 3000, work: (filled) => inJob(filled, { action: 'update', private: true }) },
  { name: 'list of 500 folders', files: 500, fill: { folders: 500 }, isTimed: true, work: list },
];

/** Measures work on many files of an account over each store. */
export async function many({ say, row }: Report): Promise<void> {
  const missing = noPostgres();
  const figures = new Map<string, string[]>(cases.map(({ name }) => [name, []]));
  const measure = async (store: string, start: () => Promise<SpawnedServer>): Promise<void> => {
    const server = await start();
    try {
      for (const one of cases) {
        say(`${one.name} over ${store}`);
        const took: number[] = [];
        for (let round = 0; round < rounds; round++) took.push(await timeOf(server, one));
        const ms = median(took);
        const figure = one.isTimed ? `${rounded(ms)} ms` : `${rounded(perSecond(one.files, ms))} /s`;
        figures.get(one.name)!.push(`${store}: ${figure}`);
      }
    } finally {
      await server.remove();
    }
  };
  await measure('SQLite', () => spawnServer());
  if (missing === undefined) {
    const folder = await mkdtemp(join(tmpdir(), 'cubby-bench-'));
    const cluster = await startCluster(durable);
    const network = await startNetwork(cluster, delayMs);
    try {
      const farMs = await roundTripOf(cluster, network.port);
      await createDatabase(cluster, 'far');
      await measure('PostgreSQL', () => startOver(cluster, join(folder, 'near')));
      await measure(`PostgreSQL ${farMs.toFixed(1)} ms away`, () =>
        startOver(cluster, join(folder, 'far'), network.port, 'far'),
      );
    } finally {
      await network.close();
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    }
  } else say(`without PostgreSQL: ${missing}`);
  for (const [name, [sqlite = '', ...others]] of figures) row(name, sqlite, others.join(', '));
}

/** Fills a new account, and returns how long the work of a case takes. */
async function timeOf(server: SpawnedServer, { name, files, fill, work }: Case): Promise<number> {
  const account = await server.account();
  const ids = await server.fill({ accountId: account.id, rows: files, folders: 0, prefix: 'many/', ...fill });
  const startedAt = performance.now();
  const done = await work({ server, account, ids });
  const tookMs = performance.now() - startedAt;
  if (done !== files) throw new Error(`${name}: ${done} of ${files} were done.`);
  return tookMs;
}

async function deleteOverRest({ server, account, ids }: Filled): Promise<number> {
  const { json } = await deleteFiles(server, account, ids);
  return json.response.deleted.length;
}

async function deleteOverS3({ server: { urls }, account: { credential }, ids }: Filled): Promise<number> {
  const { json } = await ask(`${urls.base}/v1/s3/credentials`, { credential });
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = json.response;
  const keys = ids.map((id) => `<Object><Key>${id.split('/').slice(2).join('/')}</Key></Object>`);
  const request = { method: 'POST', path: '/public', query: { delete: '' }, body: `<Delete>${keys.join('')}</Delete>` };
  const { text } = await exchange({ url: urls.s3, accessKeyId, secretAccessKey }, request, 60_000);
  return text.match(/<Deleted>/g)?.length ?? 0;
}

async function hide({ server: { urls }, account: { credential }, ids }: Filled): Promise<number> {
  const body = JSON.stringify({ objects: ids, private: true });
  const { json } = await ask(`${urls.base}/v1/objects`, { method: 'PATCH', credential, body });
  return json.response.results.filter(({ ok }: { readonly ok: boolean }) => ok).length;
}

async function inJob({ server: { urls }, account: { credential } }: Filled, change: object): Promise<number> {
  const jobs = `${urls.base}/v1/folders/jobs`;
  const body = JSON.stringify({ prefix: 'many', ...change });
  let { json } = await ask(jobs, { method: 'POST', credential, body });
  while (json.response.state !== 'done') {
    await sleep(10);
    ({ json } = await ask(`${jobs}/${json.response.id}`, { credential }));
  }
  return json.response.done;
}

async function list({ server: { urls }, account: { credential } }: Filled): Promise<number> {
  const { json } = await ask(`${urls.base}/v1/objects?prefix=many/&delimiter=/&limit=1000`, { credential });
  return json.response.folders.length;
}
