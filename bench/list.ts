import { ask, deleteFiles } from '#test/faults/client.ts';
import { nastyBodies } from '#test/faults/nasty-bodies.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import type { TestAccount } from '#test/support/server.ts';
import { median, rounded, type Report } from './report.ts';

const times = 15;
const [fewRows, manyRows] = [10_000, 1_000_000];

/** A server whose one account has so many files. */
interface Filled {
  readonly server: SpawnedServer;
  readonly account: TestAccount;
  /** Of files that can go. */
  readonly ids: string[];
  readonly rows: number;
}

/** One kind of page; its query may hang on how many files there are. */
interface Case {
  readonly name: string;
  readonly query: (filled: Filled) => string;
  /** The page may come from the cache; otherwise a change in between makes it stale. */
  readonly isCached?: boolean;
}

/** How long a page of 1000 entries takes out of few files and out of many, and how long it keeps others waiting. */
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
    { name: '1000 folders', query: () => 'prefix=deep/&delimiter=/' },
    { name: '3 folders that hold all files', query: () => 'delimiter=/' },
  ];
}

async function page({ server, account }: Filled, query: string): Promise<string | undefined> {
  const { status, json } = await ask(`${server.urls.base}/v1/objects?${query}`, { credential: account.credential });
  if (status !== 200) throw new Error(`A list was answered with ${status}.`);
  return json.response.continuationToken;
}

/** The cursors of all pages but the first. */
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

/** In turns, because a shared machine is not the same from one second to the next. */
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

/** How long JSON bodies that are nasty to read keep others waiting. */
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
