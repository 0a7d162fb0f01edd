import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** A program of the documentation or of the examples. */
interface Sample {
  readonly name: string;
  readonly code: string;
}

const blocks = globSync(['docs/**/*.md', 'uploader/package/README.md', 'README.md'], { cwd: root }).flatMap((path) =>
  [
    ...readFileSync(join(root, path), 'utf8').matchAll(/^```(?:m?js|tsx?|html|py|python|go)\b([^\n]*)\n(.*?)^```/gms),
  ].map(([, info, code], at): Sample => ({ name: `${path}, ${info!.trim() || `program ${at + 1}`}`, code: code! })),
);
const files = globSync(['examples/*/src/**/*.{ts,tsx}', 'uploader/package/examples/*'], { cwd: root }).map(
  (path): Sample => ({ name: path, code: readFileSync(join(root, path), 'utf8') }),
);
/** Tests know how many files there are. */
const samples = [...blocks, ...files].filter(({ code }) => !/node:test|from 'vitest'|from 'msw'/.test(code));

const lists = samples.filter(({ code }) => /listObjects\(|['"`]\/v1\/objects\?(?!name)/.test(code));
const sends = samples.filter(({ code }) => /\b(?:await|return) fetch\(|uploadObject\(|listObjects\(/.test(code));

it('there are samples that list and samples that send', () => {
  expect(lists.length).toBeGreaterThanOrEqual(4);
  expect(sends.length).toBeGreaterThanOrEqual(4);
});

it.each(lists)('$name reads every page of a list', ({ code }) => {
  expect(code).toContain('continuationToken');
});

it.each(sends)('$name looks at how a request ended', ({ code }) => {
  // A receipt that is checked with the wrong keys is an error.
  expect(code).toMatch(/verify(?:Sent)?Receipt\(|\.ok\b|\berror\b|\.status\b|status ===|data!|throwOnError/);
});
