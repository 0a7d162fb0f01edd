import { ask, deleteFiles } from '#test/faults/client.ts';
import { nastyBodies } from '#test/faults/nasty-bodies.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import type { TestAccount } from '#test/support/server.ts';
import { median, rounded, type Report } from './report.ts';

const times = 15;
const [fewRows, manyRows] = [10_000, 1_000_000];

/** A server with one account that has this many files. */
interface Filled {
  readonly server: SpawnedServer;
  readonly account: TestAccount;
  /** Ids of files that may be deleted. */
  readonly ids: string[];
  readonly rows: number;
}

/** One kind of page. Its query may depend on the number of files. */
interface Case {
  readonly name: string;
  readonly query: (filled: Filled) => string;
  /** Whether the page may come from the cache. Otherwise a change before each request makes it stale. */
  readonly isCached?: boolean;
}

/** Measures a page of 1000 entries with few and with many files, and how long it blocks other requests. */
export async function list(report: Report): Promise<void> {
  const servers: SpawnedServer[] = [];
  try {
    const filled: Filled[] = [];
    for (const rows of [fewRows, manyRows]) {
      const server = await spawnServer({ onProgress: (done) => report.say(`${done.toLocaleString('en')} rows`) });
      servers.push(server);
      report.say(`making ${rows.toLocaleString('en')} rows`);
      filled.push(await fill(server, rows));
    }
    const [few, many] = filled as [Filled, Filled];
    for (const one of await casesOf(few, many)) {
      report.say(one.name);
      await compare(report, one, few, many);
    }
    await nasty(report, few);
  } finally {
    for (const server of servers) await server.remove();
  }
}

async function fill(server: SpawnedServer, rows: number): Promise<Filled> {
  const account = await server.account();
  const ids = await server.fill({ accountId: account.id, rows: rows * 0.4, folders: 0, prefix: 'flat/' });
  await server.fill({ accountId: account.id, rows: rows * 0.4, folders: Math.min(50_000, rows / 4), prefix: 'deep/' });
  await server.fill({ accountId: account.id, rows: rows * 0.2, folders: 0, prefix: 'hidden/', isPrivate: true });
  return { server, account, ids, rows };
}

async function casesOf(few: Filled, many: Filled): Promise<Case[]> {
  const cursors = new Map<Filled, readonly string[]>();
  for (const filled of [few, many]) cursors.set(filled, await cursorsOf(filled));
  const behind = (share: number) => (filled: Filled) => {
    const all = cursors.get(filled)!;
    return `cursor=${encodeURIComponent(all[Math.min(all.length - 1, Math.floor(all.length * share))]!)}`;
  };
  return [
    { name: 'the first page', query: () => '' },
    { name: 'the first page, from the cache', query: () => '', isCached: true },
    { name: 'a page in the middle', query: behind(0.5) },
    { name: 'the last page', query: behind(1) },
    { name: 'a page under a prefix', query: () => 'prefix=flat/' },
    { name: 'a page of private files', query: () => 'private=true' },
    { name: 'the largest files', query: () => 'sort=size&order=desc' },
    { name: 'the newest files with their details', query: () => 'sort=created&order=desc&fields=metadata,sha256' },
    { name: 'the last names', query: () => 'order=desc' },
    { name: '10,000 files of another kind, and none to show', query: () => 'kind=video' },
    { name: '1000 folders', query: () => 'prefix=deep/&delimiter=/' },
    { name: '3 folders that hold all files', query: () => 'delimiter=/' },
  ];
}

async function page({ server, account }: Filled, query: string): Promise<string | undefined> {
  const { status, json } = await ask(`${server.urls.base}/v1/objects?${query}`, { credential: account.credential });
  if (status !== 200) throw new Error(`The server answered a list with ${status}.`);
  return json.response.continuationToken;
}

/** Returns the cursors of all pages but the first. */
async function cursorsOf(filled: Filled): Promise<string[]> {
  const found: string[] = [];
  for (
    let next = await page(filled, '');
    next !== undefined;
    next = await page(filled, `cursor=${encodeURIComponent(next)}`)
  )
    found.push(next);
  return found;
}

/** Measures in turns, because a shared machine changes from second to second. */
async function compare(
  { row }: Report,
  { name, query, isCached = false }: Case,
  few: Filled,
  many: Filled,
): Promise<void> {
  const measured = new Map([few, many].map((filled) => [filled, { took: [] as number[], held: [] as number[] }]));
  for (const filled of [few, many]) await page(filled, query(filled));
  for (let time = 0; time < times; time++) {
    for (const [filled, { took, held }] of measured) {
      if (!isCached) await deleteFiles(filled.server, filled.account, [filled.ids.pop()!]);
      await filled.server.watchLoop();
      const startedAt = performance.now();
      await page(filled, query(filled));
      took.push(performance.now() - startedAt);
      held.push((await filled.server.loopDelay()).maxMs);
    }
  }
  for (const [filled, { took, held }] of measured) {
    const ratio =
      filled === many ? `, ${(median(took) / median(measured.get(few)!.took)).toFixed(2)} times as long` : '';
    row(
      `${name} out of ${filled.rows.toLocaleString('en')} files`,
      `${rounded(median(took))} ms${ratio}`,
      `event loop held ${rounded(median(held))} ms, at worst ${rounded(Math.max(...held))} ms`,
    );
  }
}

/** Measures how long worst-case JSON bodies block other requests. */
async function nasty({ row }: Report, { server, account }: Filled): Promise<void> {
  for (const [what, body] of nastyBodies(1_048_576)) {
    const held: number[] = [];
    for (let time = 0; time < times; time++) {
      await server.watchLoop();
      await ask(`${server.urls.base}/v1/objects`, { method: 'DELETE', credential: account.credential, body });
      held.push((await server.loopDelay()).maxMs);
    }
    row(
      `JSON of 1 MiB: ${what}`,
      `event loop held ${rounded(median(held))} ms`,
      `at worst ${rounded(Math.max(...held))} ms`,
    );
  }
}
