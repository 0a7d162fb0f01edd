/** What a feature adds to the tests of the command line: `test/features/<feature>/command-line.ts`. */
export interface CommandLine {
  /** Commands that are rejected from their arguments alone, and what they say. */
  readonly wrong: ReadonlyArray<readonly [args: readonly string[], words: RegExp]>;
  /** Commands that explain themselves. */
  readonly helped: ReadonlyArray<readonly string[]>;
  /** Commands with an id of nothing, and the thing that their message must name. `FILE` and `FOLDER` stand for a path. */
  readonly unknown: ReadonlyArray<readonly [thing: string, ...args: readonly string[]]>;
}
