import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { timesOf, unusedExports } from './exports.ts';
import { root, sourceFiles } from './imports.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const entries = Object.values(
  (JSON.parse(read('package.json')) as { exports: Record<string, { default: string }> }).exports,
);

/** The sources, and the package's entries as an import of each. */
const files = new Map(sourceFiles().map((file) => [file, read(file)]));
files.set('package.json', entries.map((entry) => `import('${entry.default}');`).join('\n'));

/** Whether the file itself uses what it exports. */
function usesItself(place: string): boolean {
  const [file, name] = place.split(': ');
  const code = files.get(file!)!.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  return timesOf(name!, code) > 1;
}

describe('what a file exports', () => {
  it('is imported by another file', () => {
    const unused = unusedExports(files);
    expect(unused.filter((place) => /^(?:console|mocks|server|uploader)\/(?!package\/)/.test(place))).toEqual([]);
  });

  it('is not there for tests alone: they import what the code uses too', () => {
    const code = new Map([...files].filter(([file]) => !file.startsWith('test/')));
    const onlyInTests = unusedExports(code).filter((place) => /^(?:console|server|uploader\/(?!package))/.test(place));
    expect(onlyInTests.length).toBeGreaterThan(50);
    expect(onlyInTests.filter((place) => !usesItself(place))).toEqual([]);
  });

  it('is found in each form of an import', () => {
    const made = new Map([
      ['server/a.ts', 'export const a = 1;\nexport interface B {}\nexport const [c, d] = [1, 2];\nexport class E {}\n'],
      ['server/f.ts', "export async function f() {}\nexport { a as g, type B } from './a.ts';\nexport const h = 1;\n"],
      ['server/i.ts', 'export default 1;\nexport function* i() {}\n'],
      ['server/x/j.ts', 'export const j = 1;\nexport const k = 2;\n'],
      ['uploader/index.ts', 'export type L = 1;\n'],
      ['server/o.ts', 'export interface O {}\nexport interface P {}\n'],
      [
        'server/m.ts',
        "import type { B } from './f.ts';\nimport {\n  c as n,\n  type E,\n} from '#server/a.ts';\n" +
          "const { f } = await import('./f.ts');\nimport one from './i.ts';\n" +
          "const load = (name: string) => import(`./x/${name}.ts`);\nimport * as l from '#dist/modules/uploader/index.js';\n" +
          "declare module './o.ts' {\n  interface O {}\n}\n",
      ],
    ]);
    expect(unusedExports(made)).toEqual([
      'server/a.ts: d',
      'server/f.ts: h',
      'server/f.ts: g',
      'server/i.ts: i',
      'server/o.ts: P',
    ]);
  });
});
