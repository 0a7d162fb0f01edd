import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { testTimeout } from '../../vitest.config.ts';
import { root } from './imports.ts';

const files = globSync('test/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] });
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/* What a busy machine does late is no fault. A test that gives up sooner than the others fails there now and then. */

it('tests wait for events with eventually() or expect.poll(), which are patient', () => {
  const isOwn = (file: string) =>
    file === 'test/support/eventually.ts' || file === 'test/architecture/patience.test.ts';
  expect(files.filter((file) => !isOwn(file) && /\bvi\s*\.wait(?:For|Until)\b/.test(textOf(file)))).toEqual([]);
});

it('no test has less time than all have', () => {
  const limits = /^ *\{ timeout: ([\d_]+) \},$|\b(?:it|test|describe)\b.*\{ timeout: ([\d_]+) \}/gm;
  const shorter = files.flatMap((file) =>
    [...textOf(file).matchAll(limits)]
      .filter(([, alone, behind]) => Number((alone ?? behind!).replaceAll('_', '')) <= testTimeout)
      .map(([line]) => `${file}: ${line.trim()}`),
  );
  expect(shorter).toEqual([]);
});
