import { describe } from 'vitest';

import { noPackage } from './packages.ts';
import { because } from './programs.ts';

type Describe = ((title: string, tests: () => void) => void) & Pick<typeof describe, 'each'>;

/**
 * Returns a `describe` for tests with these npm packages. Where one is missing they are skipped, and the title says
 * why.
 *
 * @throws with `CUBBY_TEST_PROGRAMS=required`, if a package is missing
 */
export function describeWith(...names: readonly string[]): Describe {
  const missing = noPackage(...names);
  const suite = describe.skipIf(missing);
  const each = (cases: readonly unknown[]) => (title: string, tests: (...one: unknown[]) => void) =>
    suite.each(cases)(title + because(missing), tests);
  return Object.assign((title: string, tests: () => void) => void suite(title + because(missing), tests), {
    each: each as unknown as typeof describe.each,
  });
}
