import { ask, deleteFiles } from '#test/faults/client.ts';
import { nastyBodies } from '#test/faults/nasty-bodies.ts';
import { spawnServer } from '#test/faults/spawned-server.ts';
import { median, rounded, type Report } from './report.ts';

const times = 15;

/** How long a page of 1000 entries takes out of few files and out of many, and how long it keeps others waiting. */
export async function list({ say, row }: Report): Promise<void> {
  for (const rows of [10_000, 1_000_000]) {
    const server = await spawnServer({ onProgress: (done) => say(`${done.toLocaleString('en')} rows`) });
    try {
      const account = await server.account();
      say(`making ${rows.toLocaleString('en')} rows`);
      const ids = await server.fill({ accountId: account.id, rows: rows / 2, folders: 0, prefix: 'flat/' });
      await server.fill({ accountId: account.id, rows: rows / 2, folders: Math.min(50_000, rows / 4), prefix: 'deep/' });

      const page = async (query: string) => {
        const { status, json } = await ask(`${server.urls.base}/v1/objects?${query}`, { credential: account.credential });
        if (status !== 200) throw new Error(`A list was answered with ${status}.`);
        return json.response as { continuationToken?: string };
      };
      /** @param isFresh a change in between makes the cached page stale */
      const measure = async (what: string, query: string, isFresh: boolean) => {
        const took: number[] = [];
        const held: number[] = [];
        await page(query);
        for (let time = 0; time < times; time++) {
          if (isFresh) await deleteFiles(server, account, [ids.pop()!]);
          await server.watchLoop();
          const startedAt = performance.now();
          await page(query);
          took.push(performance.now() - startedAt);
          held.push((await server.loopDelay()).maxMs);
        }
        row(
          `${what} out of ${rows.toLocaleString('en')} files`,
          `${rounded(median(took))} ms`,
          `event loop held ${rounded(median(held))} ms, at worst ${rounded(Math.max(...held))} ms`,
        );
      };
      await measure('1000 files', 'prefix=flat/', true);
      await measure('1000 files from the cache', 'prefix=flat/', false);
      await measure('1000 folders', 'prefix=deep/&delimiter=/', true);
      const { continuationToken } = await page('prefix=flat/');
      await measure('1000 files behind a cursor', `prefix=flat/&cursor=${encodeURIComponent(continuationToken!)}`, true);
      if (rows !== 10_000) continue;

      for (const [what, body] of nastyBodies(1_048_576)) {
        const held: number[] = [];
        for (let time = 0; time < times; time++) {
          await server.watchLoop();
          await ask(`${server.urls.base}/v1/objects`, { method: 'DELETE', credential: account.credential, body });
          held.push((await server.loopDelay()).maxMs);
        }
        row(`JSON of 1 MiB: ${what}`, `event loop held ${rounded(median(held))} ms`, `at worst ${rounded(Math.max(...held))} ms`);
      }
    } finally {
      await server.remove();
    }
  }
}
