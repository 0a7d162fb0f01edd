/** A test that failed, or a file that could not be run. */
export interface Failure {
  readonly name: string;
  readonly message: string;
}

/** What became of the tests of a file. */
export interface FileOutcome {
  /** From the root of the project. */
  readonly path: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}

/** What became of a run. */
export interface Outcome {
  /** A file that runs over several stores is here once for each. */
  readonly files: readonly FileOutcome[];
  /** Errors outside any test. */
  readonly errors: readonly string[];
  /** Of the process. Null if a signal ended it. */
  readonly exitCode: number | null;
}

/** The end of a whole run, with what was repeated. */
export interface Verdict {
  readonly passed: number;
  readonly skipped: number;
  readonly failed: readonly Failure[];
  /** Files that failed once, and passed when they were run again alone. */
  readonly unsteady: readonly Failure[];
}

/** More failed files than this say that something is broken, and repeating them would take long. */
const mostRepeats = 15;

/**
 * Runs the files that failed once more, each alone, and decides.
 *
 * @param mayRepeat whether a file may be run again
 * @param again runs one file alone
 */
export async function judge(
  first: Outcome,
  mayRepeat: (path: string) => boolean,
  again: (path: string) => Promise<Outcome>,
): Promise<Verdict> {
  const failedPaths = new Set(first.files.filter(hasFailed).map(({ path }) => path));
  const failed = first.errors.map((message) => ({ name: 'outside any test', message }));
  if (failedPaths.size === 0 && failed.length === 0 && first.exitCode !== 0)
    failed.push({ name: 'the run itself', message: endOf(first) });
  const unsteady: Failure[] = [];
  const files = first.files.filter(({ path }) => !failedPaths.has(path));
  for (const path of failedPaths) {
    const before = first.files.filter((file) => file.path === path);
    const isRepeated = failedPaths.size <= mostRepeats && mayRepeat(path);
    const second = isRepeated ? await again(path) : undefined;
    const now = second?.files.filter((file) => file.path === path) ?? [];
    const isGood = second?.exitCode === 0 && second.errors.length === 0 && now.length > 0 && !now.some(hasFailed);
    (isGood ? unsteady : failed).push(...before.flatMap(({ failures }) => failures));
    // What failed twice is counted as it was in the whole run.
    files.push(...(isGood ? now : before));
  }
  const sum = (of: (file: FileOutcome) => number) => files.reduce((total, file) => total + of(file), 0);
  return { passed: sum((file) => file.passed), skipped: sum((file) => file.skipped), failed, unsteady };
}

function hasFailed({ failures }: FileOutcome): boolean {
  return failures.length > 0;
}

function endOf({ exitCode }: Outcome): string {
  return exitCode === null ? 'A signal ended it.' : `It ended with exit code ${exitCode}, and no test has failed.`;
}

/** Returns the end of the log. Its last line has the form "N passed, N failed, N skipped". */
export function wordsFor({ passed, skipped, failed, unsteady }: Verdict): string {
  const list = (title: string, failures: readonly Failure[]) =>
    failures.length === 0 ? [] : [`\n${title}:`, ...failures.map(({ name, message }) => `\n${name}\n${message}`)];
  return [
    ...list('unsteady (failed in the whole run, passed alone)', unsteady),
    ...list('failed', failed),
    `\n${passed} passed, ${failed.length} failed, ${skipped} skipped`,
  ].join('\n');
}
