import { TestRunner } from 'vitest';

import { noProgram, type ProgramName } from './programs.ts';

/**
 * Skips the test that is running if one of these programs is missing, and says why.
 *
 * @throws outside a test, where nothing can be skipped, and with `CUBBY_TEST_PROGRAMS=required`
 */
export function needPrograms(...names: readonly ProgramName[]): void {
  const reason = noProgram(...names);
  if (reason === undefined) return;
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error(`Use noProgram() and describe.skipIf() here: ${reason}.`);
  test.context.skip(reason);
}
