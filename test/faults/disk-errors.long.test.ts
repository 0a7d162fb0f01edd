import { describe, expect, it } from 'vitest';

import { chosenStore } from '#test/support/chosen-store.ts';
import { targets, type Phase, type Target } from './disk-error-targets.ts';
import { ErrorBench, type DiskError, type Point } from './disk-errors.ts';
import { progress, report, type Tried } from './report.ts';
import { noStrace } from './strace.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const errors: readonly DiskError[] = [false, true].flatMap((lasts) => [
  { error: 'EIO', lasts },
  { error: 'ENOSPC', lasts },
]);

/** Lasting errors begin at fewer calls, because what follows is the same. */
const stepOfLasting = 7;

/** Data folders that are worked on at the same time. */
const parallel = 2;

/** The results of one phase. */
class Results {
  points = 0;
  readonly reactions = new Map<Point['reaction'], number>();
  readonly wrong: string[] = [];

  add(point: Point, words: string): void {
    this.points++;
    this.reactions.set(point.reaction, (this.reactions.get(point.reaction) ?? 0) + 1);
    this.wrong.push(...point.wrong.map((one) => `${words}: ${one}`));
  }

  reacted(): string {
    return [...this.reactions].map(([reaction, times]) => `${reaction}: ${times}`).join(', ');
  }
}

const namesIn = ({ phase, call, files }: Target, { error, lasts }: DiskError, number: number) =>
  `${error} at ${call} ${number}${lasts ? ' and later' : ''} on ${files} during ${phase}`;

/** The points of the short form. */
const few: ReadonlyArray<readonly [Phase, string, string, DiskError['error'], number]> = [
  ['requests', 'pwrite64', 'the log', 'ENOSPC', 40],
  ['requests', 'fdatasync', 'the log', 'EIO', 5],
  ['requests', 'write', 'blobs', 'ENOSPC', 1],
  ['requests', 'fsync', 'blobs', 'EIO', 2],
  ['requests', 'rename', 'blobs', 'EIO', 1],
  ['a start', 'fdatasync', 'any file', 'EIO', 1],
];

const missing = chosenStore === 'sqlite' ? noStrace : 'only SQLite and files are tried';

describe.skipIf(missing)(
  `a server to which the disk answers a single call with an error${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    it.skipIf(isLong)('acknowledges nothing that it has not, and has everything that it acknowledged', async () => {
      const bench = new ErrorBench();
      try {
        for (const [phase, call, files, error, number] of few) {
          const target = targets.find((one) => one.phase === phase && one.call === call && one.files === files)!;
          const { isHit, wrong } = await bench.fail(target, { error, lasts: false }, number);
          expect({ isHit, wrong }, namesIn(target, { error, lasts: false }, number)).toEqual({
            isHit: true,
            wrong: [],
          });
        }
        expect(await bench.finish()).toEqual([]);
      } finally {
        await bench.close();
      }
    });

    it.skipIf(!isLong).each([
      ['of requests', 'disk-errors-requests', ({ phase, files }) => phase === 'requests' && files !== 'the log'],
      ['on the log', 'disk-errors-log', ({ phase, files }) => phase === 'requests' && files === 'the log'],
      ['of a copy of the log', 'disk-errors-copies', ({ phase }) => phase === 'the copy of the log'],
      ['of stops and starts', 'disk-errors-starts', ({ phase }) => phase === 'a stop' || phase === 'a start'],
      ['of the first start', 'disk-errors-first-start', ({ phase }) => phase === 'the first start'],
    ] as ReadonlyArray<[string, string, (target: Target) => boolean]>)(
      'acknowledges nothing that it has not, and has everything that it acknowledged, at each call %s',
      { timeout: 6 * 3_600_000 },
      async (_, section, isTried) => {
        const startedAt = Date.now();
        const results = new Map<string, Results>();
        const left = targets.filter(isTried).flatMap((target) => errors.map((error) => ({ target, error })));
        const work = async () => {
          const bench = new ErrorBench();
          try {
            for (let next = left.shift(); next; next = left.shift()) {
              await failEach(bench, next.target, next.error, results);
              report(section, startedAt, rowsOf(results));
            }
          } finally {
            await bench.close();
          }
        };
        try {
          await Promise.all(Array.from({ length: parallel }, work));
        } finally {
          report(section, startedAt, rowsOf(results));
        }
        expect([...results.values()].flatMap(({ wrong }) => wrong)).toEqual([]);
      },
    );
  },
);

const say = progress('disk errors');

/** Lets the first call fail, the next one and so on, until there is no such call. */
async function failEach(
  bench: ErrorBench,
  target: Target,
  error: DiskError,
  results: Map<string, Results>,
): Promise<void> {
  const { phase, every = 1 } = target;
  const row = `EIO and ENOSPC ${error.lasts ? 'from a call on' : 'at a single call'} during ${phase}`;
  for (let number = 1; ; number += every * (error.lasts ? stepOfLasting : 1)) {
    const point = await bench.fail(target, error, number);
    const words = namesIn(target, error, number);
    const ofRow = results.get(row) ?? new Results();
    results.set(row, ofRow);
    if (!point.isHit) {
      ofRow.wrong.push(...point.wrong, ...(await bench.finish()));
      return;
    }
    ofRow.add(point, words);
    say(`${words}: ${point.reaction}`);
    for (const one of point.wrong) console.log(`${words}: ${one}`);
  }
}

function rowsOf(results: ReadonlyMap<string, Results>): Tried[] {
  return [...results].map(([tried, one]) => ({
    tried,
    times: one.points,
    lost: one.wrong.length,
    found: one.reacted(),
  }));
}
