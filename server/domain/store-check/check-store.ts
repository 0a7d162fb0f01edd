import { checkBlobs } from './check-blobs.ts';
import { checkBytes } from './check-bytes.ts';
import type { CheckDeps, CheckOptions } from './check-deps.ts';
import { checkRows } from './check-rows.ts';
import type { StoreProblem } from './problem.ts';

export interface CheckReport {
  readonly problems: readonly StoreProblem[];
  /** `encrypted` are those of the blobs whose bytes are encrypted. */
  readonly checked: {
    readonly blobs: number;
    readonly encrypted: number;
    readonly contents: number;
    readonly bytes: number;
  };
}

/**
 * Compares a store with itself, while servers may use it: the database, its counters, and the blobs that rows name.
 * Whatever may have changed meanwhile is looked at again before it is a problem.
 */
export async function checkStore(deps: CheckDeps, options: CheckOptions): Promise<CheckReport> {
  options.onStep({ doing: 'checking the database' });
  const damage = await deps.databaseProblems();
  const problems: StoreProblem[] = damage.map((detail) => ({ kind: 'database', subject: '', detail, repair: null }));
  // Repairs would write into damaged pages.
  const repairs = options.repairs && damage.length === 0;
  problems.push(...(await checkRows(deps, repairs)));
  const blobs = await checkBlobs(deps, { ...options, repairs });
  problems.push(...blobs.problems);
  const known = new Set(blobs.problems.filter(({ repair }) => repair === null).map(({ subject }) => subject));
  const bytes = options.readsBytes
    ? await checkBytes(deps, { ...options, repairs }, known)
    : { problems: [], contents: 0, bytes: 0 };
  problems.push(...bytes.problems);
  const { count, encrypted } = blobs;
  return { problems, checked: { blobs: count, encrypted, contents: bytes.contents, bytes: bytes.bytes } };
}
