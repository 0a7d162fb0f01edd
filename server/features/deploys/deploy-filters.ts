import { nextTurn } from '#server/event-loop.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { shownValue } from '#server/domain/error-value.ts';
import { globMatches, parseGlob, type Glob, type GlobBudget } from './glob.ts';
import type { BranchChange } from './push.ts';

/** Which pushes of an application are deployed. Each list holds globs. An empty list of included ones takes all. */
export interface DeployFilters {
  readonly includeBranches: readonly string[];
  readonly excludeBranches: readonly string[];
  readonly includePaths: readonly string[];
  readonly excludePaths: readonly string[];
}

export const noFilters: DeployFilters = {
  includeBranches: [],
  excludeBranches: [],
  includePaths: [],
  excludePaths: [],
};

/** Why a pushed branch is not deployed: the filters do not take it, or none of the files that the push changes. */
type FilteredReason = 'branch' | 'paths';

/** A pushed branch that is not deployed. */
export interface FilteredChange {
  readonly change: BranchChange;
  readonly reason: FilteredReason;
}

/** @throws INVALID_DEPLOY_FILTER for a text that is no glob */
export function checkFilters(filters: DeployFilters): DeployFilters {
  for (const glob of Object.values(filters).flat()) {
    if (parseGlob(glob)) continue;
    throw new Refusal('INVALID_DEPLOY_FILTER', { detail: `Got ${shownValue(glob)}.` });
  }
  return filters;
}

/** Whether filters look at the files of a push. */
export function filtersPaths({ includePaths, excludePaths }: DeployFilters): boolean {
  return includePaths.length > 0 || excludePaths.length > 0;
}

/** Comparisons of characters for all branches of one push. */
const maxSteps = 5_000_000;

/** Comparisons of characters in one turn of the event loop. A single glob and path may take up to twice as many. */
const turnSteps = 400_000;

/**
 * Divides the branches of a push into those that are deployed and those that are not. A branch is deployed when its
 * files are not known, or when comparing all of them would take too long.
 */
export async function filterBranches(
  filters: DeployFilters,
  changes: readonly BranchChange[],
): Promise<{ readonly taken: readonly BranchChange[]; readonly filtered: readonly FilteredChange[] }> {
  const comparing = new Comparing();
  const branches = globsOf(filters.includeBranches, filters.excludeBranches);
  const paths = globsOf(filters.includePaths, filters.excludePaths);
  const taken: BranchChange[] = [];
  const filtered: FilteredChange[] = [];
  for (const change of changes) {
    const { branch, files } = change;
    const isKnown = files !== undefined && filtersPaths(filters);
    if (!(await comparing.takes(branches, branch))) filtered.push({ change, reason: 'branch' });
    else if (isKnown && !(await comparing.takesOne(paths, files))) filtered.push({ change, reason: 'paths' });
    else taken.push(change);
  }
  return { taken, filtered };
}

interface Globs {
  readonly include: readonly Glob[];
  readonly exclude: readonly Glob[];
}

function globsOf(include: readonly string[], exclude: readonly string[]): Globs {
  const parsed = (globs: readonly string[]) => globs.map((glob) => parseGlob(glob)!);
  return { include: parsed(include), exclude: parsed(exclude) };
}

/** Comparisons that share a budget and let other requests run. Once the budget is spent, every branch is deployed. */
class Comparing {
  readonly #budget: GlobBudget & { turnEnd: number } = { stepsLeft: maxSteps, turnEnd: maxSteps - turnSteps };

  async takes({ include, exclude }: Globs, text: string): Promise<boolean> {
    if (include.length > 0 && !(await this.#matchesOne(include, text, true))) return false;
    return !(await this.#matchesOne(exclude, text, false));
  }

  async takesOne(globs: Globs, texts: readonly string[]): Promise<boolean> {
    for (const text of texts) if (await this.takes(globs, text)) return true;
    return false;
  }

  async #matchesOne(globs: readonly Glob[], text: string, unknown: boolean): Promise<boolean> {
    for (const glob of globs) {
      const budget = this.#budget;
      if (budget.stepsLeft < budget.turnEnd) {
        await nextTurn();
        budget.turnEnd = budget.stepsLeft - turnSteps;
      }
      if (globMatches(glob, text, budget) ?? unknown) return true;
    }
    return false;
  }
}
