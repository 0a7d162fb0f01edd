import { existsSync, globSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';

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

it('the site has the contract beside it, byte for byte, and as YAML', async () => {
  const contract = await readFile(join(root, 'generated/openapi.json'), 'utf8');
  expect(await readFile(join(site, 'openapi.json'), 'utf8')).toBe(contract);
  expect(parse(await readFile(join(site, 'openapi.yaml'), 'utf8'))).toEqual(JSON.parse(contract));
});

it('every script, style and picture that a page or a script names is in the site', async () => {
  const missing: string[] = [];
  let found = 0;
  const need = (from: string, to: string) => {
    if (/^(?:[a-z]+:|#|\/(?!docs\/))/.test(to)) return;
    const at = new URL(to, `http://site/docs/${from}`).pathname.slice('/docs/'.length);
    found += 1;
    if (!existsSync(join(site, at))) missing.push(`${from} → ${to}`);
  };
  const imports = /(?:\bfrom|\bimport)\s*\(?\s*["']((?:\.{1,2}\/|\/docs\/)[^"']+)["']/g;
  for (const name of globSync('**/*.html', { cwd: site })) {
    const text = await readFile(join(site, name), 'utf8');
    for (const [, to] of text.matchAll(/<(?:script|img)\b[^>]*?\ssrc="([^"]+)"/g)) need(name, to!);
    for (const [, to] of text.matchAll(
      /<link\b[^>]*?\srel="(?:[a-z]*preload|preload stylesheet|stylesheet|icon)"[^>]*?\shref="([^"]+)"/g,
    ))
      need(name, to!);
    for (const [, script] of text.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs))
      for (const [, to] of script!.matchAll(imports)) need(name, to!);
  }
  for (const name of globSync('{assets,modules}/**/*.js', { cwd: site }))
    for (const [, to] of (await readFile(join(site, name), 'utf8')).matchAll(imports)) need(name, to!);
  expect(found).toBeGreaterThan(1_000);
  expect(missing).toEqual([]);
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
