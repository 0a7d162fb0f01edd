/** The work that comparisons may still do. They share it, so that no set of globs and paths takes long. */
export interface GlobBudget {
  stepsLeft: number;
}

/** A glob that is checked, by its parts between slashes. */
export type Glob = readonly string[];

const anyParts = '**';
const [star, question] = [0x2a, 0x3f];

/**
 * Reads a glob. `*` stands for any characters but slashes, `?` for one of them, and `**` as a whole part for any number
 * of parts, also none. All other characters stand for themselves.
 *
 * @returns undefined for an empty part, for `**` beside other characters, and for control characters
 */
export function parseGlob(text: string): Glob | undefined {
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) return undefined;
  const parts = text.split('/');
  const isPart = (part: string) => part !== '' && (part === anyParts || !part.includes(anyParts));
  return parts.every(isPart) ? parts : undefined;
}

/**
 * Returns whether a glob matches a path or a branch, from its first to its last part. Undefined when the budget is
 * spent.
 *
 * The work is at most the product of both lengths: only the last `**`, and the last `*` of a part, is ever tried again,
 * because an earlier one cannot match more.
 */
export function globMatches(glob: Glob, path: string, budget: GlobBudget): boolean | undefined {
  // A comparison costs something even if its first characters differ.
  budget.stepsLeft -= 10;
  const parts = path.split('/');
  let [at, globAt, retryAt, retryGlobAt] = [0, 0, -1, -1];
  while (at < parts.length) {
    if (budget.stepsLeft <= 0) return undefined;
    const wanted = glob[globAt];
    if (wanted === anyParts) {
      [retryAt, retryGlobAt] = [at, ++globAt];
    } else if (wanted !== undefined && partMatches(wanted, parts[at]!, budget)) {
      at++;
      globAt++;
    } else if (retryGlobAt === -1) {
      return false;
    } else {
      [at, globAt] = [++retryAt, retryGlobAt];
    }
  }
  return glob.slice(globAt).every((part) => part === anyParts);
}

/** Compares one part, by characters. */
function partMatches(wanted: string, part: string, budget: GlobBudget): boolean {
  let [at, wantedAt, retryAt, retryWantedAt] = [0, 0, -1, -1];
  while (at < part.length) {
    budget.stepsLeft--;
    const character = wanted.charCodeAt(wantedAt);
    if (character === star) {
      [retryAt, retryWantedAt] = [at, ++wantedAt];
    } else if (character === part.charCodeAt(at) || character === question) {
      at++;
      wantedAt++;
    } else if (retryWantedAt === -1) {
      return false;
    } else {
      [at, wantedAt] = [++retryAt, retryWantedAt];
    }
  }
  budget.stepsLeft--;
  return /^\**$/.test(wanted.slice(wantedAt));
}
