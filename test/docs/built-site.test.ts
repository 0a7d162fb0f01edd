import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { isFresh } from '#openapi/build/docs.ts';

const root = join(import.meta.dirname, '../..');

let folder: string;
let site: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cubby-docs-'));
  site = join(folder, 'docs');
  // The site that was built before all tests.
  await cp(join(root, 'dist/docs'), site, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the site has the contract beside it, byte for byte', async () => {
  for (const name of ['openapi.json', 'openapi.yaml'])
    expect(await readFile(join(site, name), 'utf8')).toBe(await readFile(join(root, 'generated', name), 'utf8'));
});

it('isFresh() is true until the sources change or the site is missing', async () => {
  expect(await isFresh(site)).toBe(true);
  expect(await isFresh(join(folder, 'nowhere'))).toBe(false);
  const madeFrom = join(site, 'made-from.txt');
  const kept = await readFile(madeFrom);
  await writeFile(madeFrom, 'an older contract');
  expect(await isFresh(site)).toBe(false);
  await writeFile(madeFrom, kept);
});
