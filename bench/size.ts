import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { jobNames } from '#server/jobs/jobs.ts';
import { uploadFile } from '#test/faults/client.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { someBytes } from '#test/support/files.ts';
import { startCluster } from '#test/support/postgres/cluster.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import type { TestAccount } from '#test/support/server.ts';
import { processorMs } from './process-usage.ts';
import { median, rounded, type Report } from './report.ts';
import { besides, fillOf, totals } from './size-rows.ts';
import { postgresBelow, sqliteBelow, type RowsBelow } from './size-stores.ts';

const files = Number(process.env.CUBBY_BENCH_FILES ?? 1_000_000);
const engines = (process.env.CUBBY_BENCH_ENGINES ?? 'sqlite,postgres').split(',');
const accounts = 1_000;
const rulesAmong = 10;

/** It reads bytes, which these files have none of. */
const jobsOfRows = jobNames.filter((name) => name !== 'scrub');

interface Below {
  readonly name: string;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly open: () => Promise<RowsBelow>;
}

/**
 * Fills 1,000 accounts by SQL, the largest of which has a seventh of all files, and measures at a tenth of the files
 * and at all of them: bytes of a row, requests to the largest account, and each job when nothing is due.
 */
export async function size(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-bench-'));
  const missing = noPostgres();
  try {
    if (engines.includes('sqlite')) {
      const dataDir = join(folder, 'sqlite');
      await measure(report, { name: 'SQLite', dataDir, env: {}, open: async () => sqliteBelow(dataDir) });
      await rm(dataDir, { recursive: true });
    }
    if (!engines.includes('postgres')) return;
    if (missing !== undefined) return report.say(`PostgreSQL is skipped: ${missing}`);
    const cluster = await startCluster({ shared_buffers: '1GB', max_wal_size: '1GB' });
    const url = cluster.url();
    const env = { CUBBY_DATABASE_URL: url };
    const below = { name: 'PostgreSQL', dataDir: join(folder, 'postgres'), env, open: () => postgresBelow(url) };
    await measure(report, below).finally(() => cluster.stop());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(report: Report, below: Below): Promise<void> {
  const { name, dataDir, env } = below;
  const start = () => spawnServer({ dataDir, env, ownStores: true });
  let server = await start();
  const account = await server.account();
  await server.fillAccounts(accounts - 1);
  await server.stop();
  let before = 0;
  for (const count of [files / 10, files]) {
    report.say(`${name}: making ${count.toLocaleString('en')} files`);
    const startedAt = performance.now();
    await fill(report, below, account, { from: before, to: count });
    report.row(
      `${name}, ${count.toLocaleString('en')} files`,
      '',
      `filled in ${rounded((performance.now() - startedAt) / 1000)} s`,
    );
    before = count;
    server = await start();
    try {
      await measureRequests(report, server, account, count);
      await measureJobs(report, server);
    } finally {
      await server.stop();
    }
  }
}

async function fill(
  report: Report,
  below: Below,
  account: TestAccount,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const rows = await below.open();
  const now = Date.now();
  const others = Array.from({ length: accounts - 1 }, (_, number) => `9${String(number).padStart(17, '0')}`);
  const weights = [account.id, ...others].map((_, at) => 1 / (at + 1));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  try {
    const counts = await rows.counts();
    await rows.begin();
    await rows.run('BEGIN');
    let next = from;
    let reached = 0;
    for (const [at, accountId] of [account.id, ...others].entries()) {
      reached += weights[at]! / all;
      const end = at === accounts - 1 ? to : from + Math.round(reached * (to - from));
      let had = counts.get(accountId)!;
      const middle = next + Math.ceil((end - next) * 0.8);
      for (const [space, first, last] of [[0, next, middle] as const, [1, middle, end] as const]) {
        if (last <= first) continue;
        for (const sql of fillOf(rows.dialect, { accountId, space, from: first, to: last, ...had }, now))
          await rows.run(sql);
        const more = besides(last - first);
        had = { entries: had.entries + more.entries, events: had.events + more.events };
      }
      next = end;
      if (at % 100 === 0) report.say(`${next.toLocaleString('en')} files`);
    }
    if (from === 0)
      await rows.run(
        rulesOf(
          others.filter((_, at) => at % rulesAmong === 0),
          now,
        ),
      );
    for (const sql of totals) await rows.run(sql);
    await rows.run('COMMIT');
    report.say('indexes');
    await rows.end();
    await showParts(report, rows, to);
  } finally {
    await rows.close();
  }
}

/** One of ten accounts deletes its old logs, of which there are none, and keeps versions. */
function rulesOf(ids: readonly string[], now: number): string {
  const row = (id: string) => `('${id}', 'logs/', 365, ${now - 3 * 86_400_000}, 30, 5, 1)`;
  return `INSERT INTO rules (account_id, prefix, delete_after_days, created_at, keep_deleted_days,
      keep_versions, is_counted)
    VALUES ${ids.map(row).join(', ')}`;
}

async function showParts(report: Report, rows: RowsBelow, count: number): Promise<void> {
  const parts = Map.groupBy(await rows.parts(), ({ table }) => table);
  const rowsOf: Readonly<Record<string, number>> = { activity: besides(count).entries, events: besides(count).events };
  for (const [table, own] of parts) {
    const each = (bytes: number) => Math.round(bytes / (rowsOf[table] ?? count));
    const sum = own.reduce((bytes, part) => bytes + part.bytes, 0);
    report.row(
      `  ${table}`,
      `${each(sum)} bytes a row`,
      own.map(({ name, bytes }) => `${name} ${each(bytes)}`).join(', '),
    );
  }
}

const small = someBytes(4096);
const rounds = 9;

async function measureRequests(
  report: Report,
  server: SpawnedServer,
  account: TestAccount,
  count: number,
): Promise<void> {
  const read = async (path: string) => {
    const response = await fetch(`${server.urls.base}${path}`, { headers: { authorization: account.credential } });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`);
    return response.arrayBuffer();
  };
  const upload = async (name: string) => {
    const { status } = await uploadFile(server, account, name, small);
    if (status !== 200) throw new Error(`An upload was answered with ${status}.`);
  };
  const requests: Record<string, (round: number) => Promise<unknown>> = {
    'an upload of 4 KiB': (round) => upload(`measured-${count}-${round}`),
    'a page of 1000 files': () => read('/v1/objects?prefix=photos/100/&limit=1000'),
    '200 folders': () => read('/v1/objects?prefix=photos/&delimiter=/&limit=1000'),
    'the largest 1000': () => read('/v1/objects?sort=size&order=desc&limit=1000'),
    'the newest 1000': () => read('/v1/objects?sort=created&order=desc&limit=1000'),
    stats: () => read('/v1/account/stats'),
    'a page of activity': () => read('/v1/account/activity?limit=100'),
  };
  for (const [what, request] of Object.entries(requests)) {
    report.say(what);
    const times: number[] = [];
    let cost = 0;
    for (let round = 0; round < rounds; round++) {
      // A page that nobody has changed would come from the cache.
      if (round > 0 && what !== 'an upload of 4 KiB') await upload(`changed-${count}`);
      const usedMs = processorMs(server.pid);
      const startedAt = performance.now();
      await request(round);
      times.push(performance.now() - startedAt);
      cost += processorMs(server.pid) - usedMs;
    }
    report.row(`  ${what}`, `${rounded(median(times))} ms`, `${rounded(cost / rounds)} ms of processor time`);
  }
}

async function measureJobs(report: Report, server: SpawnedServer): Promise<void> {
  for (const name of jobsOfRows) {
    report.say(name);
    const first = await server.runJob(name);
    const usedMs = processorMs(server.pid);
    const later = [await server.runJob(name), await server.runJob(name), await server.runJob(name)];
    const cost = (processorMs(server.pid) - usedMs) / later.length;
    const least = Math.min(...later.map(({ tookMs }) => tookMs));
    const beside = `${rounded(cost)} ms of processor time; the first run ${rounded(first.tookMs)} ms`;
    report.row(`  ${name}`, `${rounded(least)} ms`, `${beside}, ${first.count} done`);
  }
}
