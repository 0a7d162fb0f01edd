import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { root, sourceFiles } from './imports.ts';

const decisions = [...readFileSync(join(root, 'DECISIONS.md'), 'utf8').matchAll(/^- \*\*(D-[0-9]{3})\b/gm)].map(
  ([, number]) => number!,
);

/** The first target of a `@see`: a word, or words up to a number for an RFC. */
const references = /@see ((?:RFC [0-9]+)|[^\s,;]+)/g;

/**
 * Returns whether a reader can find the target: a standard, a page, a manual, a decision, a file, or a name of the same
 * file.
 */
function resolves(reference: string, file: string, text: string): boolean {
  if (/^RFC [0-9]+$/.test(reference) || URL.canParse(reference) || /^[a-z_]+\([1-8]\)$/.test(reference)) return true;
  if (/^D-[0-9]{3}$/.test(reference)) return decisions.includes(reference);
  if (/[./]/.test(reference)) return [root, dirname(join(root, file))].some((at) => existsSync(join(at, reference)));
  return text.split(new RegExp(`\\b${reference}\\b`)).length > 2;
}

const sources = sourceFiles()
  .filter((file) => !file.startsWith('generated/') && file !== 'test/architecture/references.test.ts')
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

describe('references', () => {
  it('of every @see have a target', () => {
    const lost = sources.flatMap(({ file, text }) =>
      [...text.matchAll(references)]
        .map(([, reference]) => reference!.replace(/[.:]$/, ''))
        .filter((reference) => !resolves(reference, file, text))
        .map((reference) => `${file}: ${reference}`),
    );
    expect(lost).toEqual([]);
  });

  it('to decisions name existing decisions', () => {
    const lost = sources.flatMap(({ file, text }) =>
      (text.match(/\bD-[0-9]{3}\b/g) ?? [])
        .filter((number) => !decisions.includes(number))
        .map((number) => `${file}: ${number}`),
    );
    expect(lost).toEqual([]);
  });

  it('find one decision for each number', () => {
    expect(decisions.length).toBeGreaterThan(200);
    expect(decisions).toEqual([...new Set(decisions)]);
  });
});
