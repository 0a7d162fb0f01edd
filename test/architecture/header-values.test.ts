import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { root, sourceFiles } from './imports.ts';

/** Sets the headers of a response whose values can come from clients. */
const home = 'server/http/wire-headers.ts';

/** Writes a head of its own text: a table of fixed headers. */
const fixedHeads = ['server/http/protocol-errors.ts', 'server/features/files/door/public-door.ts'];

it('headers whose names are not written out are set in one place, which brings values to their wire form', () => {
  const others = sourceFiles()
    .filter((path) => path.startsWith('server/') && path !== home)
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const calls = [...text.matchAll(/\.(?:setHeader|appendHeader|setHeaders)\((?!\s*')|\.writeHead\([^()]*,/g)];
      return calls.map(([call]) => `${path}: ${call}`);
    });
  expect(others.filter((found) => !fixedHeads.some((path) => found.startsWith(path)))).toEqual([]);
});
