import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { jobNames } from '#server/jobs/jobs.ts';
import { uploadFile } from '#test/faults/client.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { someBytes } from '#test/support/files.ts';
import { getRequest, jsonRequest, uploadRequest } from './load.ts';
import type { MixedKind, MixedLoad, MixedOutcome } from './mixed-load.ts';
import { processorMs } from './process-usage.ts';
import type { Report } from './report.ts';

const durationMs = 20_000;
const megabyte = 1_048_576;
/** No request that carries few bytes may take longer. */
const longestMs = 100;
const files = 200;

interface Kind extends MixedKind {
  /** Whether its time is mostly that of its bytes. */
  readonly carriesBytes: boolean;
}

/**
 * Measures how long requests take beside each other: 70 % reads, uploads of 4 KiB to 10 MB, lists and completions at a
 * constant rate, while the background jobs run one after another.
 */
export async function mixed(report: Report): Promise<void> {
  const upstream = fork(join(import.meta.dirname, 'ai-upstream.ts'));
  const [upstreamUrl] = (await once(upstream, 'message')) as [string];
  const load = fork(join(import.meta.dirname, 'mixed-load.ts'));
  const server = await spawnServer({ env: { CUBBY_AI_UPSTREAM_URL: upstreamUrl } });
  try {
    report.say('storing the files to be read');
    const kinds = await kindsOf(server);
    await sent(load, { kinds, durationMs: 3_000 });
    report.say(`sending for ${durationMs / 1000} s`);
    const usedMs = processorMs(server.pid);
    const running = sent(load, { kinds, durationMs });
    const jobRuns = await runJobsUntil(server, running);
    const times = await running;
    for (const [index, { p50Ms, p99Ms, p999Ms, maxMs }] of times.entries()) {
      const { name, perSecond, carriesBytes } = kinds[index]!;
      const verdict = carriesBytes ? '' : `; aim ${longestMs} ms: ${maxMs <= longestMs ? 'kept' : 'NOT KEPT'}`;
      report.row(
        `${name}, ${perSecond} /s`,
        `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
        `p99.9 ${p999Ms.toFixed(1)} ms, longest ${maxMs.toFixed(0)} ms${verdict}`,
      );
    }
    const share = (processorMs(server.pid) - usedMs) / durationMs;
    report.row('processor time of the server', `${(100 * share).toFixed(0)} % of a core`, `${jobRuns} runs of jobs`);
  } finally {
    upstream.disconnect();
    load.disconnect();
    await server.remove();
  }
}

async function kindsOf(server: SpawnedServer): Promise<Kind[]> {
  const { urls } = server;
  const account = await server.account();
  const { credential } = account;
  const stored: Array<{ readonly id: string; readonly url: string }> = [];
  for (let number = 0; number < files; number++)
    stored.push((await uploadFile(server, account, `read-${number}`, someBytes(4096))).json.response);
  await server.fill({ accountId: account.id, rows: 20_000, folders: 0, prefix: 'listed/' });
  const chatters: string[] = [];
  for (let number = 0; number < 20; number++) chatters.push((await server.account('enterprise')).credential);
  const kind = (name: string, url: string, perSecond: number, requests: readonly Buffer[]) => ({
    name,
    url,
    perSecond,
    requests: requests.map((request) => request.toString('base64')),
    carriesBytes: false,
  });
  const uploads = (sizeBytes: number, count: number) =>
    Array.from({ length: count }, (_, number) =>
      uploadRequest(urls.base, credential, `put-${sizeBytes}-${number}`, someBytes(sizeBytes)),
    );
  const lists = Array.from({ length: 20 }, (_, number) =>
    getRequest(`${urls.base}/v1/objects?prefix=listed/&limit=${981 + number}`, credential),
  );
  const question = {
    model: 'cubic',
    max_tokens: 64,
    messages: [{ role: 'user', content: 'What is a blob store? '.repeat(9) }],
  };
  return [
    kind(
      'public GET of 4 KiB',
      urls.public,
      180,
      stored.map(({ url }) => getRequest(url)),
    ),
    kind(
      'details of a file',
      urls.base,
      100,
      stored.map(({ id }) => getRequest(`${urls.base}/v1/objects/info?object=${id}`, credential)),
    ),
    kind('page of 1000 files', urls.base, 4, lists),
    kind('upload of 4 KiB', urls.base, 80, uploads(4096, 200)),
    { ...kind('upload of 1 MB', urls.base, 8, uploads(megabyte, 4)), carriesBytes: true },
    { ...kind('upload of 10 MB', urls.base, 1, uploads(10 * megabyte, 2)), carriesBytes: true },
    kind(
      'completion',
      urls.api,
      20,
      chatters.map((key) => jsonRequest('POST', `${urls.api}/v2/ai/chat/completions`, key, question)),
    ),
  ];
}

/** Runs the background jobs one after another while a load is sent. Returns how many runs there were. */
async function runJobsUntil(server: SpawnedServer, load: Promise<unknown>): Promise<number> {
  let isOver = false;
  void load.finally(() => (isOver = true)).catch(() => {});
  let runs = 0;
  while (!isOver) await server.runJob(jobNames[runs++ % jobNames.length]!);
  return runs;
}

async function sent(load: ChildProcess, wanted: MixedLoad) {
  load.send(wanted);
  const [outcome] = (await once(load, 'message')) as [MixedOutcome];
  if ('failure' in outcome) throw new Error(outcome.failure);
  for (const [index, { statuses }] of outcome.times.entries())
    if (Object.keys(statuses).join() !== '200')
      throw new Error(`${wanted.kinds[index]!.name}: ${JSON.stringify(statuses)}`);
  return outcome.times;
}
