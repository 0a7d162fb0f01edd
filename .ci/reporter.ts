import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

import type { Reporter, TestModule, Vitest } from 'vitest/node';

import { SkipReasons } from '../test/support/skip-reasons.ts';
import type { Failure, FileOutcome, Outcome } from './outcome.ts';

/** An error of a test. */
interface Failed {
  readonly message: string;
  readonly stack?: string | undefined;
  /** What was expected and what came, line by line. */
  readonly diff?: string | undefined;
}

/**
 * Prints one line a file and the messages of failures, and writes the outcome to the file of `CUBBY_CI_OUTCOME`. It
 * prints no summary, because failed files are run again: `everything.ts` counts.
 */
export default class CiReporter implements Reporter {
  readonly #skipReasons = new SkipReasons();
  #vitest!: Vitest;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestModuleEnd(testModule: TestModule): void {
    const { path, passed, skipped, failures } = outcomeOf(testModule);
    const seconds = (testModule.diagnostic().duration / 1000).toFixed(1);
    const count = `${passed} passed, ${failures.length} failed, ${skipped} skipped, ${seconds} s`;
    console.log(`${failures.length === 0 ? '✓' : '✗'} ${testModule.project.name} ${path} (${count})`);
    for (const { name, message } of failures) console.log(`\n${name}\n${message}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly Failed[]): void {
    this.#skipReasons.onTestRunEnd(modules);
    const told: Omit<Outcome, 'exitCode'> = {
      files: modules.map(outcomeOf),
      errors: errors.map(textOf),
    };
    for (const error of told.errors) console.log(`\nOutside any test:\n${error}`);
    const file = process.env.CUBBY_CI_OUTCOME;
    if (file === undefined) throw new Error(`CUBBY_CI_OUTCOME must name a file (${this.#vitest.version}).`);
    writeFileSync(file, JSON.stringify(told));
  }
}

function outcomeOf(testModule: TestModule): FileOutcome {
  const name = `${testModule.project.name} ${testModule.relativeModuleId}`;
  const failures: Failure[] = [];
  const counts = { passed: 0, skipped: 0 };
  for (const part of [testModule, ...testModule.children.allSuites()])
    for (const error of part.errors()) failures.push({ name, message: textOf(error) });
  for (const test of testModule.children.allTests()) {
    const { state, errors = [] } = test.result();
    if (state === 'passed') counts.passed++;
    else if (state === 'failed')
      failures.push({ name: `${name} > ${test.fullName}`, message: errors.map(textOf).join('\n') });
    else counts.skipped++;
  }
  if (testModule.state() === 'failed' && failures.length === 0)
    failures.push({ name, message: 'The file has failed.' });
  return { path: testModule.relativeModuleId, ...counts, failures };
}

function textOf({ stack, message, diff }: Failed): string {
  const text = stack?.includes(message) ? stack : [message, stack].filter(Boolean).join('\n');
  return diff === undefined ? text : `${text}\n${stripVTControlCharacters(diff)}`;
}
