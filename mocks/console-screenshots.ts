import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { openConsole, signInWith } from '#test/support/console.ts';
import { startSandbox, type Sandbox } from './sandbox.ts';

const ports = ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door) => [`CUBBY_${door}_PORT`, '0'] as const);

/** Takes pictures of the console with a few files: light and dark, in a wide and a narrow window. */
export async function consoleScreenshots(browser: Browser, folder: string): Promise<void> {
  const sandbox = await startSandbox({ env: Object.fromEntries(ports) });
  try {
    await storeSamples(sandbox);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 390]) {
        const address = `${sandbox.urls.api.replace(/\/$/, '')}/console`;
        const { page, context } = await openConsole(browser, address, { width, colorScheme });
        const take = (name: string) =>
          page.screenshot({
            path: join(folder, `console-${name}${width === 390 ? '.narrow' : ''}.${colorScheme}.png`),
          });
        await page.locator('h1').waitFor();
        await take('sign-in');
        await signInWith(page, accountOf(sandbox).credential);
        await page.getByRole('button', { name: 'logo.png', exact: true }).waitFor();
        await take('files');
        await page.getByRole('button', { name: 'logo.png', exact: true }).click();
        await page.locator('.details .facts').waitFor();
        await page.locator('.preview img').waitFor();
        await take('details');
        await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click();
        await page.getByRole('button', { name: 'As tiles' }).click();
        await page.waitForLoadState('networkidle');
        await take('tiles');
        await context.close();
      }
  } finally {
    await sandbox.stop();
  }
}

function accountOf({ accounts }: Sandbox) {
  return accounts.find(({ plan }) => plan === 'pro')!;
}

async function storeSamples(sandbox: Sandbox): Promise<void> {
  const picture = await readFile(join(import.meta.dirname, '../docs/cubby.png'));
  const samples: ReadonlyArray<readonly [string, Uint8Array, Record<string, string>]> = [
    ['logo.png', picture, {}],
    ['team-photo.png', picture, {}],
    ['notes.txt', Buffer.from('A few lines of text.\n'.repeat(60)), {}],
    ['april.pdf', Buffer.alloc(48_213, 1), { prefix: 'invoices' }],
    ['lease.pdf', Buffer.alloc(91_840, 1), { prefix: 'contracts', private: 'true' }],
    ['salaries-2026.pdf', Buffer.alloc(9184, 1), { private: 'true', expire: '30d' }],
    ['backup-of-the-website-with-a-long-name.zip', Buffer.alloc(2_000_000, 1), {}],
  ];
  for (const [name, bytes, more] of samples) {
    const form = new FormData();
    form.append('file', new File([bytes as Uint8Array<ArrayBuffer>], name));
    const query = new URLSearchParams({ name: name.replace(/\.\w+$/, ''), ...more });
    await fetch(`${sandbox.urls.api.replace(/\/$/, '')}/v1/objects?${query}`, {
      method: 'POST',
      headers: { Authorization: accountOf(sandbox).credential },
      body: form,
    });
  }
}
