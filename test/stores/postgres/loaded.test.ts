import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

/** A program that opens the stores, and prints which files of packages and of the store it has loaded. */
const program = `
  import { createRequire, registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  const { parseConfig } = await import('#server/config/config.ts');
  const { openLog } = await import('#server/log.ts');
  const { openStores } = await import('#server/stores/open.ts');
  const stores = await openStores(parseConfig(process.env), openLog('silent'), { isServing: true });
  await stores.close();
  console.log(JSON.stringify(loaded));
`;

it('the embedded default loads neither pg nor the code of the PostgreSQL store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cubby-loaded-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const loaded = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, CUBBY_DATA_DIR: join(folder, 'data'), CUBBY_MIN_FREE_BYTES: '0' },
    }),
  ) as string[];
  expect(loaded.some((url) => url.includes('/stores/sqlite/'))).toBe(true);
  expect(loaded.filter((url) => /\/node_modules\/pg|\/stores\/postgres/.test(url))).toEqual([]);
});
