import { randomInt } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startChatUpstream, type ChatUpstream } from '#mocks/chat-upstream.ts';
import { cubbyOver } from '#test/cli/cubby.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { relaxed } from '#test/support/postgres/time-limits.ts';
import { curlLine } from './curl-line.ts';
import { Doors } from './doors.ts';
import { runFuzz, type Found, type FuzzOptions, type FuzzResult } from './fuzz-run.ts';
import { Progress } from './progress.ts';
import { recipes, weightsOf } from './recipes/all.ts';
import { writeFigures } from './report.ts';
import { serverClock } from './server-clock.ts';
import { caseOf, replay, type SavedCase } from './saved-case.ts';

/*
 * `CUBBY_FUZZ_REQUESTS`, `CUBBY_FUZZ_SEED` and `CUBBY_FUZZ_EPISODE` choose another run: the last one sends one episode
 * alone. `CUBBY_FUZZ_MINUTES` ends a long run early, and `CUBBY_FUZZ_REPORT=1` writes its figures into REPORT.md.
 */

const isLong = process.env.CUBBY_TEST_LONG === '1';
const fixedSeed = 20_261_126;
const { CUBBY_FUZZ_REQUESTS, CUBBY_FUZZ_SEED, CUBBY_FUZZ_EPISODE, CUBBY_FUZZ_MINUTES } = process.env;
const requests = Number(CUBBY_FUZZ_REQUESTS ?? (isLong ? 1_000_000 : 2_400));
const length = 200;
/** @see test/flows/event-loop.long.test.ts */
const boundMs = 250;
const casesFolder = join(import.meta.dirname, 'cases');

let upstream: ChatUpstream;
let server: SpawnedServer;
let operatorKey: string;
let backups: string;
const results: Array<{ readonly seed: number; readonly result: FuzzResult; readonly progress: Progress }> = [];
let computedMs = NaN;

beforeAll(async () => {
  upstream = await startChatUpstream();
  // A model's server that fails now and then.
  let asked = 0;
  upstream.answer(() => (++asked % 50 === 0 ? { status: 500 } : { text: 'An ETag names the content of a file.' }));
  backups = await mkdtemp(join(tmpdir(), 'cubby-fuzz-backups-'));
  const env = {
    CUBBY_AI_UPSTREAM_URL: upstream.url,
    CUBBY_AI_UPSTREAM_MODEL: 'tiny',
    CUBBY_AI_EMBEDDINGS_MODEL: 'tiny',
    CUBBY_AI_STREAMING: 'on',
    CUBBY_AI_CLIENT_FORMS: 'on',
    CUBBY_BACKUP_TARGET: join(backups, 'target'),
  };
  server = await spawnServer({ sync: false, hasCheapScrypt: true, timeLimitFactor: relaxed, env });
  operatorKey = await server.operatorKey();
});
afterAll(async () => {
  serverClock.offsetMs = 0;
  await server?.remove();
  await upstream?.close();
  await rm(backups, { recursive: true, force: true });
});

/** Tells how to send a problem's request again, and keeps it as a case of `cases/`. */
function reported(found: Found, seed: number): string {
  const { step } = found;
  const name = `${seed}-${step.episode}-${step.number}`;
  mkdirSync(casesFolder, { recursive: true });
  writeFileSync(join(casesFolder, `${name}.json`), `${JSON.stringify(caseOf(found, operatorKey), undefined, 2)}\n`);
  return [
    `${step.request.operation}${step.request.broken === undefined ? '' : ` (${step.request.broken})`}: ` +
      `${step.problems.join(' ')}`,
    `  CUBBY_FUZZ_SEED=${seed} CUBBY_FUZZ_EPISODE=${step.episode}, request ${step.number}, kept as ` +
      `test/fuzz/cases/${name}.json`,
    `  ${curlLine(step.request, server.urls)}`,
  ].join('\n');
}

/** Links, codes and tokens expire, deleted accounts too. Less than the 15 minutes by which a signature may be old. */
async function advanceClock(): Promise<void> {
  const offsetMs = serverClock.offsetMs + 10 * 60_000;
  await server.setClockOff(offsetMs);
  serverClock.offsetMs = offsetMs;
}

async function expectNoProblem(options: Pick<FuzzOptions, 'seed' | 'requests' | 'firstEpisode'>): Promise<void> {
  const progress = new Progress(server.pid, options.requests);
  const result = await runFuzz(server, {
    ...options,
    length,
    weights: weightsOf(isLong ? 0 : 0.5),
    operatorKey,
    // On a busy machine each turn of a process then does more.
    lanes: isLong ? 48 : 8,
    mostProblems: 20,
    mostMs: CUBBY_FUZZ_MINUTES === undefined ? Infinity : Number(CUBBY_FUZZ_MINUTES) * 60_000,
    onFound: (found) => console.log(reported(found, options.seed)),
    onProgress(done) {
      if (!isLong) return;
      progress.print(done);
      void advanceClock();
    },
  });
  progress.end();
  results.push({ seed: options.seed, result, progress });
  console.log(
    `Seed ${options.seed}: ${result.tally.requests} requests, ${progress.rate(result.tally.requests)} a second.`,
  );
  expect(result.found.map(({ step, count }) => [step.request.operation, step.problems, count])).toEqual([]);
  expect(result.faults).toEqual([]);
  progress.expectFlat();
}

describe(`${requests.toLocaleString('en')} fuzzed requests to every door`, () => {
  const timeout = 120_000 + requests * 30;

  if (CUBBY_FUZZ_EPISODE !== undefined) {
    it(`episode ${CUBBY_FUZZ_EPISODE} alone`, { timeout }, () =>
      expectNoProblem({
        seed: Number(CUBBY_FUZZ_SEED ?? fixedSeed),
        requests: length,
        firstEpisode: Number(CUBBY_FUZZ_EPISODE),
      }),
    );
    return;
  }

  it('get a response that the contract allows, and never an unplanned 5xx', { timeout }, async () => {
    await server.watchLoop();
    await expectNoProblem({ seed: Number(CUBBY_FUZZ_SEED ?? fixedSeed), requests });
  });

  it('with a seed that nobody has tried get one too', () =>
    expectNoProblem({ seed: randomInt(2 ** 31), requests: 500 }));

  it('do not block the event loop', async () => {
    ({ computedMs } = await server.loopDelay());
    console.log(`The event loop was computing without a turn for ${computedMs.toFixed(0)} ms at most.`);
    expect(computedMs).toBeLessThan(boundMs);
  });

  it('reach each operation with a successful valid request for each ten thousand requests, at least with one', () => {
    const { tally } = results[0]!.result;
    if (isLong && process.env.CUBBY_FUZZ_REPORT !== '1') console.log(tally.table());
    const leastSuccesses = Math.max(1, Math.floor(tally.requests / 10_000));
    const rare = [...recipes.keys()].filter((id) => (tally.operations.get(id)?.succeeded ?? 0) < leastSuccesses);
    expect(rare).toEqual([]);
  });

  it('leave a store without contradictions', { timeout: 600_000 }, async () => {
    await server.stop();
    expect(await cubbyOver(server.dataDir).json('store', 'check', '--bytes')).toMatchObject({ problems: [], left: 0 });
    if (process.env.CUBBY_FUZZ_REPORT === '1') writeFigures({ ...results[0]!, computedMs });
  });
});

const cases = readdirSync(casesFolder).filter((name) => name.endsWith('.json'));

describe.runIf(cases.length > 0)('requests that once had a wrong response', () => {
  let fresh: SpawnedServer;
  beforeAll(async () => {
    serverClock.offsetMs = 0;
    fresh = await spawnServer({ sync: false, hasCheapScrypt: true, timeLimitFactor: relaxed });
  });
  afterAll(() => fresh?.remove());

  it.each(cases)('%s', async (name) => {
    const saved: SavedCase = JSON.parse(readFileSync(join(casesFolder, name), 'utf8'));
    const doors = new Doors({ ...fresh.urls });
    try {
      expect(await replay(saved, doors, await fresh.operatorKey())).toEqual([]);
      expect(fresh.stderr()).not.toContain('"fault"');
    } finally {
      doors.close();
    }
  });
});
