import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { findings } from '#test/support/console-screens.ts';
import { openConsole, signInWith } from '#test/support/console.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { recordPage } from '#test/support/page-record.ts';

let server: TestServer;
let browser: Browser;
let account: TestAccount;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), sharedChromium()]);
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});
beforeEach(async () => {
  account = await server.account('pro');
});

const count = 200;
const sizeOf = (index: number) => 512 + ((index * 7919) % 40_000);
const totalBytes = Array.from({ length: count }, (_, index) => sizeOf(index)).reduce((sum, size) => sum + size);
/** Three folders deep, and more entries in one folder than a browser lists at once. */
const pathOf = (index: number) =>
  index < 150 ? `scans/${nameOf(index)}` : `scans/${index % 7}/${index % 3}/${nameOf(index)}`;
const nameOf = (index: number) => `file-${String(index).padStart(3, '0')}.txt`;

async function open(path = ''): Promise<Page> {
  const { page, context } = await openConsole(browser, `${server.running.urls.api.replace(/\/$/, '')}/console${path}`);
  onTestFinished(() => context.close());
  recordPage(page);
  await signInWith(page, account.credential);
  await page.getByText('This folder is empty').waitFor();
  return page;
}

/** Writes down what the panel of uploads shows, several times a second, in `window.seen`. */
const watch = `
  window.seen = [];
  setInterval(() => {
    const share = document.querySelector('.upload-panel progress')?.value;
    const sums = document.querySelector('.upload-sums')?.textContent ?? '';
    const [, done, all] = /^(\\d+) of (\\d+) files/.exec(sums) ?? [];
    if (all) window.seen.push({ share: share ?? window.seen.at(-1)?.share ?? 0, done: Number(done), all: Number(all) });
  }, 30);
`;

const makeFiles = `Array.from({ length: ${count} }, (_, index) => new File(
  [new Uint8Array(512 + ((index * 7919) % 40_000)).fill(65 + (index % 26))],
  'file-' + String(index).padStart(3, '0') + '.txt', { type: 'text/plain', lastModified: 1_700_000_000_000 },
))`;

const drop = `{
  const transfer = new DataTransfer();
  for (const file of ${makeFiles}) transfer.items.add(file);
  document.querySelector('.drop-zone').dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer: transfer }));
}`;

/**
 * A drop of a folder. Scripts cannot make one, so its entries are made up. They are listed by 100, as Chromium does.
 */
const dropFolder = `{
  const entryOf = (name, tree) => tree instanceof File
    ? { name, isFile: true, isDirectory: false, file: (found) => found(tree) }
    : { name, isFile: false, isDirectory: true, createReader() {
        const rest = Object.entries(tree).map(([name, inner]) => entryOf(name, inner));
        return { readEntries: (found) => found(rest.splice(0, 100)) };
      } };
  const top = {};
  ${makeFiles}.forEach((file, index) => {
    const folders = index < 150 ? [] : [String(index % 7), String(index % 3)];
    const folder = folders.reduce((tree, name) => (tree[name] ??= {}), top);
    folder[file.name] = file;
  });
  const items = [{ kind: 'file', webkitGetAsEntry: () => entryOf('scans', top) }];
  const event = new DragEvent('drop', { bubbles: true, cancelable: true });
  Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items, files: [] } });
  document.querySelector('.drop-zone').dispatchEvent(event);
}`;

interface Seen {
  readonly share: number;
  readonly done: number;
  readonly all: number;
}

/** Checks that what was shown only grew. */
async function expectGrowing(page: Page): Promise<Seen[]> {
  const seen = (await page.evaluate('window.seen')) as Seen[];
  expect(seen.length).toBeGreaterThan(10);
  for (const [index, { share, done }] of seen.entries()) {
    expect(share).toBeGreaterThanOrEqual(seen[index - 1]?.share ?? 0);
    expect(done).toBeGreaterThanOrEqual(seen[index - 1]?.done ?? 0);
  }
  return seen;
}

/** All files of the account: their number, their bytes and their keys without the hashes of private ones. */
async function stored() {
  const objects: Array<{ id: string; size: number }> = [];
  for (let cursor = ''; ;) {
    const query = new URLSearchParams({ limit: '1000', ...(cursor && { cursor }) });
    const { response } = (await server.send(`/v1/objects?${query}`, { credential: account.credential })).json();
    objects.push(...response.objects);
    cursor = response.continuationToken ?? '';
    if (cursor === '') break;
  }
  return {
    count: objects.length,
    bytes: objects.reduce((sum, { size }) => sum + size, 0),
    keys: objects.map(({ id }) => id.replace(/^prv\/[^/]+\//, '').replace(/_[a-z0-9]{16}(?=\.)/, '')),
  };
}

/** Returns a function for the milliseconds of processor time that the page's main thread has used since this call. */
async function mainThread(page: Page): Promise<() => Promise<number>> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await tools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
  };
}

const panel = (page: Page) => page.getByRole('region', { name: 'Uploads' });

describe.skipIf(noChromium)(`200 files at once${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('upload with a progress that adds up, and one that fails is told apart and tried again', async () => {
    const page = await open();
    let refusals = 0;
    await page.route(/\/v1\/objects\?.*name=file-077/, async (route) => {
      if (refusals++ > 0) return route.continue();
      const body = { status: 'error', code: 'STORAGE_QUOTA_EXCEEDED', message: 'Full.' };
      return route.fulfill({ status: 403, json: body });
    });
    await page.evaluate(watch);
    await page.evaluate(
      'window.slow = []; new PerformanceObserver((list) => window.slow.push(...list.getEntries().map(({ duration ' +
        `}) => duration))).observe({ type: 'longtask' })`,
    );
    const usedMs = await mainThread(page);
    const before = await usedMs();
    const begun = Date.now();
    await page.evaluate(drop);
    // The page stays usable meanwhile.
    await panel(page)
      .getByText(/Uploading: 1\d\d/)
      .waitFor();
    await page.getByRole('searchbox').fill('file-0');
    await expect.poll(() => page.url()).toContain('file-0');
    await page.getByRole('searchbox').fill('');
    await panel(page).getByText('Failed: 1').first().waitFor({ timeout: 60_000 });
    expect(await panel(page).getByRole('listitem').first().textContent()).toContain('file-077.txt');
    await panel(page).getByRole('heading', { name: 'Failed: 1' }).waitFor({ timeout: 60_000 });
    const [seconds, used] = [(Date.now() - begun) / 1000, (await usedMs()) - before];
    expect(
      await panel(page)
        .getByText(/^199 of 200 files/)
        .count(),
    ).toBe(1);
    expect(await findings(page)).toEqual([]);
    expect(await stored()).toMatchObject({ count: count - 1, bytes: totalBytes - sizeOf(77) });
    await panel(page).getByRole('button', { name: 'Try again' }).click();
    await panel(page).getByRole('heading', { name: 'Uploaded: 200' }).waitFor();
    expect(await stored()).toMatchObject({ count, bytes: totalBytes });
    const sum = `${(totalBytes / 1024 ** 2).toFixed(1)} MiB`;
    expect(await panel(page).locator('.upload-sums').textContent()).toBe(`200 of 200 files, ${sum} of ${sum}`);
    const seen = await expectGrowing(page);
    expect(seen.at(-1)).toMatchObject({ done: 200, all: 200 });
    const slow = (await page.evaluate('window.slow')) as number[];
    console.log(
      `200 files in ${seconds.toFixed(1)} s; the main thread worked ${(used / count).toFixed(1)} ms for each; ` +
        `longest task ${Math.max(0, ...slow)} ms`,
    );
    expect(used / count).toBeLessThan(30);
  }, 240_000);

  it('keep the folders of a dropped folder', async () => {
    const page = await open('/files/all/archive');
    await page.evaluate(watch);
    await page.evaluate(dropFolder);
    await panel(page).getByRole('heading', { name: 'Uploaded: 200' }).waitFor({ timeout: 60_000 });
    const { bytes, keys } = await stored();
    expect(bytes).toBe(totalBytes);
    expect(keys.sort()).toEqual(Array.from({ length: count }, (_, index) => `archive/${pathOf(index)}`).sort());
    await expectGrowing(page);
  }, 240_000);

  it('pause, and go on after a reload without sending anything twice', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cubby-uploads-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const paths = Array.from({ length: count }, (_, index) => join(folder, nameOf(index)));
    await mkdir(dirname(paths[0]!), { recursive: true });
    for (const [index, path] of paths.entries()) await writeFile(path, Buffer.alloc(sizeOf(index), 65 + (index % 26)));
    const page = await open();
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/v1/objects')) sent++;
    });
    page.on('dialog', (dialog) => void dialog.accept());
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload files' }).click();
    await (await choosing).setFiles(paths);
    await panel(page)
      .getByText(/^[3-9]\d of 200 files/)
      .waitFor({ timeout: 60_000 });
    await panel(page).getByRole('button', { name: 'Pause the uploads' }).click();
    await panel(page)
      .getByRole('heading', { name: /^Paused: / })
      .waitFor();
    // Requests that run end, and no other begins.
    await expect.poll(async () => (await stored()).count).toBe(sent);
    await page.waitForTimeout(500);
    const half = (await stored()).count;
    expect(half).toBe(sent);
    expect(half).toBeLessThan(count);
    await panel(page).getByRole('button', { name: 'Go on with the uploads' }).click();
    await expect.poll(() => sent).toBeGreaterThan(half);
    await panel(page).getByRole('button', { name: 'Pause the uploads' }).click();
    await expect.poll(async () => (await stored()).count).toBe(sent);

    await page.reload();
    await panel(page)
      .getByText(`stopped these uploads: ${count - sent}`)
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await page.evaluate(watch);
    const again = page.waitForEvent('filechooser');
    await panel(page).getByRole('button', { name: 'Choose the files again' }).click();
    await (await again).setFiles(paths);
    await panel(page).getByRole('heading', { name: 'Uploaded: 200' }).waitFor({ timeout: 60_000 });
    expect(sent).toBe(count);
    expect(await stored()).toMatchObject({ count, bytes: totalBytes });
    await expectGrowing(page);
    // Nothing is left for the next reload.
    await page.reload();
    await page.getByRole('button', { name: 'file-000.txt', exact: true }).waitFor();
    expect(await panel(page).count()).toBe(0);
  }, 240_000);
});
