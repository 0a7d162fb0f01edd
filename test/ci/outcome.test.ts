import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { judge, wordsFor, type FileOutcome, type Outcome } from '../../.ci/outcome.ts';
import { alwaysOverPostgres, furtherOverPostgres, neverRepeated } from '../../vitest.config.ts';

const root = join(import.meta.dirname, '../..');
const exclude = ['**/node_modules/**'];

const good = (path: string, passed = 10): FileOutcome => ({ path, passed, skipped: 1, failures: [] });
const bad = (path: string): FileOutcome => ({
  path,
  passed: 9,
  skipped: 1,
  failures: [{ name: `${path} > a test`, message: 'expected 1 to be 2' }],
});
const run = (files: readonly FileOutcome[], more: Partial<Outcome> = {}): Outcome => ({
  files,
  errors: [],
  exitCode: files.some(({ failures }) => failures.length > 0) ? 1 : 0,
  ...more,
});

/** Judges a run whose files end in the second run as `second` says. Returns the verdict, and what was repeated. */
async function judged(first: Outcome, second: Readonly<Record<string, Outcome>> = {}) {
  const repeated: string[] = [];
  const verdict = await judge(
    first,
    (path) => !path.includes('races'),
    async (path) => {
      repeated.push(path);
      return second[path]!;
    },
  );
  return { ...verdict, repeated, last: wordsFor(verdict).split('\n').at(-1) };
}

describe('the end of the continuous integration', () => {
  it('counts the whole run', async () => {
    const { failed, unsteady, repeated, last } = await judged(run([good('a'), good('b', 5)]));
    expect({ failed, unsteady, repeated, last }).toEqual({
      failed: [],
      unsteady: [],
      repeated: [],
      last: '15 passed, 0 failed, 2 skipped',
    });
  });

  it('names a file unsteady that failed, and passes alone, with its message', async () => {
    const verdict = await judged(run([good('a'), bad('b')]), { b: run([good('b')]) });
    expect(verdict).toMatchObject({ failed: [], repeated: ['b'], last: '20 passed, 0 failed, 2 skipped' });
    expect(wordsFor(verdict)).toMatch(/^\nunsteady .*:\n\nb > a test\nexpected 1 to be 2\n/);
  });

  it('fails if the file fails again, has an error outside its tests, or does not run at all', async () => {
    for (const again of [
      run([bad('b')]),
      run([good('b')], { errors: ['late'] }),
      run([]),
      run([good('b')], { exitCode: 1 }),
    ]) {
      const verdict = await judged(run([good('a'), bad('b')]), { b: again });
      expect(verdict).toMatchObject({ unsteady: [], repeated: ['b'], last: '19 passed, 1 failed, 2 skipped' });
      expect(wordsFor(verdict)).toContain('\nfailed:\n\nb > a test\nexpected 1 to be 2\n');
    }
  });

  it('repeats no race, and nothing where very much has failed', async () => {
    expect(await judged(run([bad('races-1')]))).toMatchObject({ repeated: [], failed: [{ name: 'races-1 > a test' }] });
    const many = Array.from({ length: 16 }, (_, at) => bad(`file-${at}`));
    const { repeated, failed } = await judged(run(many));
    expect([repeated.length, failed.length]).toEqual([0, 16]);
  });

  it('repeats a file once that failed over two stores, and counts both of its new results', async () => {
    const verdict = await judged(run([bad('a'), bad('a')]), { a: run([good('a'), good('a')]) });
    expect(verdict).toMatchObject({ repeated: ['a'], last: '20 passed, 0 failed, 2 skipped' });
    expect(verdict.unsteady).toHaveLength(2);
  });

  it('fails for an error outside any test, and for a run that ended before it reported', async () => {
    expect(await judged(run([good('a')], { errors: ['late'], exitCode: 1 }))).toMatchObject({
      failed: [{ name: 'outside any test', message: 'late' }],
    });
    for (const exitCode of [1, null])
      expect(await judged(run([], { exitCode }))).toMatchObject({ last: '0 passed, 1 failed, 0 skipped' });
  });
});

it('the files that are never repeated exist, and are all races, faults, kills and fuzz', () => {
  for (const pattern of neverRepeated) expect(globSync(pattern, { cwd: root, exclude }), pattern).not.toEqual([]);
  const named = globSync('test/**/*.test.ts', { cwd: root, exclude }).filter((path) =>
    /race|fault|kill|fuzz/.test(path),
  );
  const listed = new Set(globSync(neverRepeated, { cwd: root, exclude }));
  expect(named.filter((path) => !listed.has(path))).toEqual([]);
});

it('the flows that also run over PostgreSQL exist', () => {
  const gone = [...alwaysOverPostgres, ...furtherOverPostgres].filter(
    (name) => !existsSync(join(root, `test/flows/${name}.test.ts`)),
  );
  expect(gone).toEqual([]);
});
