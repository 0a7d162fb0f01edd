import type { JobName } from '#server/jobs/jobs.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { answerTimesDuring, getRequest } from './load.ts';
import { processorMs } from './process-usage.ts';
import { rounded, type Report } from './report.ts';

const dayMs = 86_400_000;
const rows = 1_000_000;
const limitMs = 50;

/** Measures background jobs in an account of 1,000,000 files, and how long requests wait meanwhile. */
export async function jobs(report: Report): Promise<void> {
  await withServer(report, async (server, accountId, run) => {
    await server.fill({ accountId, rows, folders: 0, prefix: 'logs/', ageMs: 10 * dayMs });
    await server.deletingRule({ accountId, prefix: 'logs/', deleteAfterDays: 30 });
    await run('delete-by-rule', 'no file of 1,000,000 under the rule is old enough');
    await server.deletingRule({ accountId, prefix: 'tmp/', deleteAfterDays: 5 });
    await run('delete-by-rule', '1,000,000 old files beside the rule, first run of the day');
    await run('delete-by-rule', '1,000,000 old files beside the rule, next run');
    await server.deletingRule({ accountId, prefix: 'logs/', deleteAfterDays: 5 });
    await run('delete-by-rule', 'all files are old enough');
  });
  await withServer(report, async (server, accountId, run) => {
    await server.fill({ accountId, rows: rows / 2, folders: 0, prefix: 'kept/' });
    await server.fill({ accountId, rows: rows / 2, folders: 0, prefix: 'gone/', expiredMs: 1 });
    await run('delete-expired', 'half of 1,000,000 files have expired');
    await run('delete-expired', 'nothing has expired');
  });
  await withServer(report, async (server, accountId, run) => {
    await server.fillActivity({ accountId, entries: rows, ageMs: 91 * dayMs });
    await run('forget-activity', '1,000,000 entries are too old');
    await run('forget-activity', 'none is');
  });
}

type Run = (name: JobName, what: string) => Promise<void>;

async function withServer(
  { say, row }: Report,
  work: (server: SpawnedServer, accountId: string, run: Run) => Promise<void>,
): Promise<void> {
  const server = await spawnServer({ onProgress: (done) => say(`${done.toLocaleString('en')} rows`) });
  try {
    const account = await server.account();
    const [id] = await server.fill({ accountId: account.id, rows: 1, folders: 0, prefix: 'asked/' });
    const info = getRequest(`${server.urls.base}/v1/objects/info?object=${id}`, account.credential);
    await work(server, account.id, async (name, what) => {
      say(`${name}: ${what}`);
      await server.watchLoop();
      const usedMs = processorMs(server.pid);
      const { result, times } = await answerTimesDuring(server.urls.base, info, () => server.runJob(name));
      const cost = processorMs(server.pid) - usedMs;
      const { maxMs } = await server.loopDelay();
      const kept = maxMs < limitMs ? 'kept' : 'NOT KEPT';
      row(
        `${name}: ${what}`,
        `${result.count.toLocaleString('en')} in ${rounded(result.tookMs)} ms, ${rounded(cost)} ms of processor time`,
        `event loop held ${rounded(maxMs)} ms at worst (limit ${limitMs}: ${kept}); Info meanwhile p50 ` +
          `${times.p50Ms.toFixed(1)}, p99 ${times.p99Ms.toFixed(1)}, worst ${times.maxMs.toFixed(1)} ms`,
      );
    });
  } finally {
    await server.remove();
  }
}
