import { TestRunner } from 'vitest';

import { noPackage } from './packages.ts';
import { noProgram, type ProgramName } from './programs.ts';
import { noPythonPackage, type PythonPackage } from './python-packages.ts';

/**
 * Skips the test that is running if one of these programs is missing, and says why.
 *
 * @throws outside a test, where nothing can be skipped, and with `CUBBY_TEST_PROGRAMS=required`
 */
export function needPrograms(...names: readonly ProgramName[]): void {
  skipBecause(noProgram(...names));
}

/** Does the same for npm packages of `test/programs/`. */
export function needPackages(...names: readonly string[]): void {
  skipBecause(noPackage(...names));
}

/** Does the same for Python packages of `test/programs/python/`, whatever `CUBBY_TEST_PROGRAMS` says. */
export function needPythonPackages(...names: readonly PythonPackage[]): void {
  skipBecause(noPythonPackage(...names));
}

function skipBecause(reason: string | undefined): void {
  if (reason === undefined) return;
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error(`Use describe.skipIf() here: ${reason}.`);
  test.context.skip(reason);
}
