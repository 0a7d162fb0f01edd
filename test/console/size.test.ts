import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../dist/console');

/** Returns the files that a page loads before it is complete: those that it names, and all that they import. */
function loadedFirst(entries: readonly string[]): string[] {
  const found = new Set(entries);
  for (const name of found) {
    if (!name.endsWith('.js')) continue;
    const text = readFileSync(join(folder, 'assets', name), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|^import|[;}]import)\s*"\.\/([^"]+)"/g)) found.add(imported!);
  }
  return [...found];
}

it('everything before the first list of files is less than 60 KB, compressed', () => {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...page.matchAll(/assets\/([^"]+)/g)].map(([, name]) => name!);
  const lazy = readdirSync(join(folder, 'assets')).filter((name) => /^(files|en)-[\w-]+\.(js|css)$/.test(name));
  expect(lazy).toHaveLength(3);
  const files = loadedFirst([...named, ...lazy]).map((name) => `assets/${name}`);
  const bytes = ['index.html', ...files].reduce((sum, name) => sum + statSync(join(folder, `${name}.gz`)).size, 0);
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(60_000);
});
