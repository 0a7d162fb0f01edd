import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startChatUpstream } from '#mocks/chat-upstream.ts';
import { jobs } from '#server/jobs/jobs.ts';
import { runFuzz } from '#test/fuzz/fuzz-run.ts';
import { recipes } from '#test/fuzz/recipes/all.ts';
import { TestClock } from '#test/support/clock.ts';
import { startTestServer, type TestServerOptions } from '#test/support/server.ts';

/** Operations that need work of other requests which may not have ended. Tests of the tables have their statements. */
export const rarelyDone: ReadonlySet<string> = new Set([
  'getCommitStatus',
  'runDeployment',
  'abortDeployment',
  'getDeploymentLogs',
  'startHookDeploy',
  'pollDeviceToken',
  'openShare',
]);

/**
 * Sends a server a valid request of each operation, of the contract and of S3, and runs each background job: before
 * there is anything to do, and a year later, when all is due. Returns the operations that never succeeded.
 */
export async function workServer(options: TestServerOptions = {}): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-plans-'));
  const upstream = await startChatUpstream();
  upstream.answer(() => ({ text: 'An ETag names the content of a file.' }));
  const env = {
    CUBBY_AI_UPSTREAM_URL: upstream.url,
    CUBBY_AI_UPSTREAM_MODEL: 'tiny',
    CUBBY_AI_EMBEDDINGS_MODEL: 'tiny',
    CUBBY_AI_STREAMING: 'on',
    CUBBY_AI_CLIENT_FORMS: 'on',
    CUBBY_BACKUP_TARGET: join(folder, 'target'),
  };
  const clock = new TestClock(Date.now());
  const server = await startTestServer({
    ...options,
    dataDir: join(folder, 'data'),
    clock,
    rateLimits: true,
    env: { ...env, ...options.env },
  });
  try {
    const { stores } = server.running.app;
    const runJobs = async () => {
      for (const job of Object.values(jobs)) await job.run(stores, clock.now());
    };
    await runJobs();
    const tour = { requests: 1, length: 1, lanes: 1, mostProblems: Infinity, seed: 1, weights: [], mostPauseMs: 50 };
    const operatorKey = await server.operatorKey();
    const { tally } = await runFuzz({ urls: server.running.urls, stderr: () => '' }, { ...tour, operatorKey });
    clock.advance(366 * 86_400_000);
    await runJobs();
    return [...recipes.keys()].filter((id) => !tally.operations.get(id)?.succeeded);
  } finally {
    await server.stop();
    await upstream.close();
    await rm(folder, { recursive: true, force: true });
  }
}
