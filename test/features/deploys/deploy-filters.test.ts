import { describe, expect, it } from 'vitest';

import { filterBranches, noFilters, type DeployFilters } from '#server/features/deploys/deploy-filters.ts';

const change = (branch: string, files?: readonly string[]) =>
  ({ kind: 'branch', branch, commit: 'a'.repeat(40), message: null, files }) as const;

async function reasons(filters: Partial<DeployFilters>, ...changes: ReadonlyArray<ReturnType<typeof change>>) {
  const { taken, filtered } = await filterBranches({ ...noFilters, ...filters }, changes);
  const reason = new Map(filtered.map((one) => [one.change.branch, one.reason]));
  return changes.map(({ branch }) => (taken.some((one) => one.branch === branch) ? 'taken' : reason.get(branch)));
}

describe('filterBranches()', () => {
  it('takes everything without filters', async () => {
    expect(await reasons({}, change('main'), change('docs', []))).toEqual(['taken', 'taken']);
  });

  it('takes branches that are included and not excluded', async () => {
    const filters = { includeBranches: ['main', 'release/**'], excludeBranches: ['release/old/**'] };
    expect(await reasons(filters, change('main'), change('release/1'), change('release/old/1'), change('x'))).toEqual([
      'taken',
      'taken',
      'branch',
      'branch',
    ]);
  });

  it('takes a branch when one changed file is included and not excluded', async () => {
    const filters = { includePaths: ['web/**'], excludePaths: ['**/*.md'] };
    expect(
      await reasons(
        filters,
        change('a', ['api/x.ts', 'web/README.md']),
        change('b', ['web/README.md', 'web/x.ts']),
        change('c'),
      ),
    ).toEqual(['paths', 'taken', 'taken']);
  });

  it('takes a push that would take long to compare, and lets others run meanwhile', async () => {
    const files = Array.from({ length: 700 }, (_, index) => `${'a'.repeat(4000)}${index}`);
    const glob = `${'*a'.repeat(99)}b`;
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    expect(await reasons({ includePaths: Array(20).fill(glob) }, change('main', files))).toEqual(['taken']);
    isDone = true;
    // All comparisons cost 5 million steps, and a turn of the event loop has at most 1.2 million of them.
    expect(turns).toBeGreaterThanOrEqual(4);
  });
});
