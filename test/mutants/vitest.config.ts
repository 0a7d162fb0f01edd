import { globSync } from 'node:fs';
import { join, relative } from 'node:path';

import { defineConfig, mergeConfig, type Plugin } from 'vitest/config';

import base from '../../vitest.config.ts';
import { guards } from './guards.ts';
import { mutantsOf } from './mutations.ts';

const root = join(import.meta.dirname, '../..');
const guarding = new Set(globSync(guards, { cwd: root }));

/** Loads the guarding files with all their mutants, which sleep until `switch.ts` wakes one. */
const withMutants: Plugin = {
  name: 'with-mutants',
  enforce: 'pre',
  transform(text, id) {
    const file = relative(root, id);
    return guarding.has(file)
      ? { code: mutantsOf(file, text, 'globalThis.isActiveMutant').code, map: null }
      : undefined;
  },
};

const merged = mergeConfig(
  base,
  defineConfig({
    root,
    plugins: [withMutants],
    // What hangs is noticed too.
    test: { setupFiles: [join(import.meta.dirname, 'switch.ts')], testTimeout: 30_000, hookTimeout: 30_000 },
  }),
);

/** No test here reads the documentation, which takes a while to build. */
export default { ...merged, test: { ...merged.test, globalSetup: ['test/support/shared-servers.ts'] } };
