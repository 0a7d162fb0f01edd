import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { oldestNode } from '#server/check-node.js';
import { root, sourceFiles } from '#test/architecture/imports.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const versionOf = (name: string): string => JSON.parse(read(`node_modules/${name}/package.json`)).version;

/** The versions whose private parts were read. Read them again before you change one. */
const versions: ReadonlyArray<readonly [file: string, read: string, installed: () => string]> = [
  ['express-openapi-validator-5.ts', '5.6', () => versionOf('express-openapi-validator')],
  ['node-24.ts', '24', () => `${oldestNode}.0.0`],
  ['pg-8.ts', '8.23', () => versionOf('pg')],
  ['prom-client-15.ts', '15.1', () => versionOf('prom-client')],
  ['sqlite-3.ts', '3', () => process.versions.sqlite!],
];

describe('server/internals/', () => {
  it.each(versions)('%s was written for the installed version', (file, read, installed) => {
    expect(`${installed()}.`.startsWith(`${read}.`), installed()).toBe(true);
    expect(file).toMatch(new RegExp(`-${read.split('.')[0]}\\.ts$`));
  });

  it('has a line in this table and a test for each file', () => {
    const files = readdirSync(join(root, 'server/internals')).sort();
    expect(files).toEqual(versions.map(([file]) => file));
    const tests = readdirSync(import.meta.dirname);
    for (const file of files) expect(tests).toContain(file.replace('.ts', '.test.ts'));
  });

  it('is the only place that touches private parts of packages and of Node', () => {
    const marks = [
      /(?:from |import\(|require\()'(?!@?[.#])(?:@[^/']+\/)?[^/']+\/(?:dist|lib|src|build)\//,
      /process\.noDeprecation/,
      /\b(?:push|_read|_write|destroySoon)\.bind\(/,
      /httpAllowHalfOpen/,
      /-wal`/,
    ];
    const elsewhere = sourceFiles()
      .filter((file) => file.startsWith('server/') && !file.startsWith('server/internals/'))
      .filter((file) => marks.some((mark) => mark.test(read(file))));
    expect(elsewhere).toEqual([]);
  });
});
