import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Returns why a skipped test was skipped: what it said itself, or the end of its title or of a title above it. */
export function reasonOf(test: TestCase): string | undefined {
  const result = test.result();
  if (result.state !== 'skipped') return undefined;
  return result.note ?? /\(skipped: ([^]+)\)/.exec(test.fullName)?.[1];
}

/** Prints, at the end of a run, the reasons why tests were skipped, with the files that they are in. */
export class SkipReasons implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const found = new Map<string, Map<string, number>>();
    for (const testModule of modules)
      for (const test of testModule.children.allTests()) {
        const reason = reasonOf(test);
        if (reason === undefined) continue;
        const files = found.get(reason) ?? new Map<string, number>();
        const path = testModule.relativeModuleId;
        found.set(reason, files.set(path, (files.get(path) ?? 0) + 1));
      }
    for (const [reason, files] of found) {
      console.log(`\nSkipped, because ${reason}:`);
      for (const [path, count] of files) console.log(`  ${path} (${count})`);
    }
  }
}
