import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';

import { noChromium } from '#test/support/chromium.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';
import { elementPages, nextChooser, note } from './element-page.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';

/** Makes a folder with these files, 600 bytes each. It is removed when the test ends. */
async function folderWith(name: string, paths: readonly string[]): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'cubby-folder-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  await mkdir(join(parent, name));
  const files = paths.map((path) => join(parent, name, path));
  for (const folder of new Set(files.map(dirname))) await mkdir(folder, { recursive: true });
  await Promise.all(files.map((file, index) => writeFile(file, paths[index]!.padEnd(600))));
  return join(parent, name);
}

/** Drops files from outside of the browser, as a person does. */
async function dropOn(page: Page, paths: readonly string[]): Promise<void> {
  const box = (await page.locator('cubby-upload .drop').boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + 10, y: box.y + 10, data: { items: [], files: [...paths], dragOperationsMask: 1 } };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at });
}

describe.skipIf(noChromium)(`<cubby-upload> and folders${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  const pages = elementPages();
  const holiday = ['beach.jpg', '2026/sea.jpg', '2026/a day/sand.jpg', '.DS_Store', '.git/config', '2026/Thumbs.db'];
  const ids = (page: Page) => page.locator('cubby-upload').evaluate((element: any) => [...element.value].sort());
  const completed = (page: Page, count: number) =>
    expect.poll(() => page.locator('cubby-upload li[data-state=completed]').count(), { timeout: 20_000 }).toBe(count);

  it('uploads a dropped folder with its folders as prefixes, and leaves out hidden files', async () => {
    const { page, complaints } = await pages.opened();
    await page.evaluate(() =>
      (globalThis as any).document.addEventListener(
        'refused',
        ({ detail }: any) => ((globalThis as any).refused = [detail.reason, [...detail.paths].sort()]),
      ),
    );
    await dropOn(page, [await folderWith('Holiday', holiday)]);
    await completed(page, 3);
    expect(await page.evaluate(() => (globalThis as any).refused)).toEqual([
      'hidden',
      ['Holiday/.DS_Store', 'Holiday/.git', 'Holiday/2026/Thumbs.db'],
    ]);
    const at = `pub/${pages.demo.account.id}/demo/Holiday`;
    expect(await ids(page)).toEqual([
      `${at}/2026/a-day-${sum('a day')}/sand.jpg`,
      `${at}/2026/sea.jpg`,
      `${at}/beach.jpg`,
    ]);
    expect(await page.locator('cubby-upload .name').allInnerTexts()).toEqual(
      expect.arrayContaining(['Holiday/beach.jpg', 'Holiday/2026/a day/sand.jpg']),
    );
    expect(await note(page)).toMatch(/^Not accepted \(hidden\): (Holiday\/[.\w/]+(, )?){3}\.$/);
    expect(complaints).toEqual([]);
  });

  it('accepts hidden files if the page allows them', async () => {
    const { page } = await pages.opened({ 'hidden-files': '' });
    await dropOn(page, [await folderWith('Project', ['.env', '.git/config', 'main.ts'])]);
    await completed(page, 3);
  });

  it('uploads a chosen folder', async () => {
    const { page } = await pages.opened();
    const { chooser } = await nextChooser(page);
    await page.getByRole('button', { name: 'Choose a folder' }).click();
    await (await chooser).setFiles(await folderWith('Holiday', holiday));
    await completed(page, 3);
    expect(await note(page)).toContain('Not accepted (hidden)');
    // Afterwards it chooses files again.
    const { chooser: files } = await nextChooser(page);
    await page.getByRole('button', { name: 'Choose files' }).click();
    expect((await files).isMultiple()).toBe(true);
    expect(await page.locator('cubby-upload input').evaluate((input: any) => input.webkitdirectory)).toBe(false);
  });

  it('puts the folders into the names without an error when the token pins its prefix', async () => {
    const { page } = await pages.opened({ prefix: null });
    const token = await tokenOf(pages.demo.server, pages.demo.account, { prefix: 'inbox', max_uses: 10 });
    await page.locator('cubby-upload').evaluate((element: any, given) => void (element.credential = given), token);
    await dropOn(page, [await folderWith('Holiday', ['beach.jpg', '2026/beach.jpg', '2027/beach.jpg'])]);
    await completed(page, 3);
    const names = await ids(page);
    for (const [index, path] of ['Holiday/2026/beach.jpg', 'Holiday/2027/beach.jpg', 'Holiday/beach.jpg'].entries()) {
      const name = path.replace('.jpg', '').replaceAll('/', '-');
      expect(names[index]).toMatch(
        new RegExp(`^pub/${pages.demo.account.id}/inbox/${name}-${sum(path)}_[a-z0-9]{16}\\.jpg$`),
      );
    }
    expect(await page.locator('#events').innerText()).not.toContain('failed: ');
  });

  it('rejects and reports a folder where one file is allowed, and one without any or an accepted file', async () => {
    const { page } = await pages.opened({ multiple: null });
    const [holidays, empty] = [await folderWith('Holiday', ['beach.jpg']), await folderWith('Empty', [])];
    await dropOn(page, [holidays]);
    await expect.poll(() => note(page)).toBe('Not accepted (folders are not accepted here): Holiday.');
    await page
      .locator('cubby-upload')
      .evaluate((element: any) => (element.setAttribute('multiple', ''), element.setAttribute('accept', '.pdf')));
    await dropOn(page, [holidays]);
    await expect
      .poll(() => note(page))
      .toBe('Not accepted (this type of file is not accepted here): Holiday/beach.jpg.');
    await dropOn(page, [empty]);
    await expect.poll(() => note(page)).toBe('Not accepted (it contains no file): Empty.');
    expect(await page.locator('cubby-upload li').count()).toBe(0);
  });

  it('accepts a thousand files without blocking the page, shows a hundred, and counts all', async () => {
    const { page } = await pages.opened({ manual: '' });
    const count = isLong ? 3_000 : 1_000;
    const folder = await folderWith(
      'Many',
      Array.from({ length: count }, (_, index) => `${index % 7}/file-${index}.txt`),
    );
    await page.evaluate(() => {
      const page = globalThis as any;
      page.longest = 0;
      new page.PerformanceObserver((list: any) =>
        list.getEntries().forEach(({ duration }: any) => (page.longest = Math.max(page.longest, duration))),
      ).observe({ type: 'longtask' });
    });
    await dropOn(page, [folder]);
    await expect
      .poll(() => page.locator('cubby-upload').evaluate((element: any) => element.totals.files), { timeout: 30_000 })
      .toBe(count);
    await expect.poll(() => page.locator('cubby-upload .total-status').innerText()).toContain(`0 of ${count} files`);
    expect(await page.locator('cubby-upload li').count()).toBe(100);
    expect(await page.locator('cubby-upload .more').innerText()).toBe(`and ${count - 100} more files`);
    // Reading continues while the page works. The bound leaves room for busy machines. On an idle one the longest
    // task takes a twentieth of it.
    expect(await page.evaluate(() => (globalThis as any).longest)).toBeLessThan(2_000);
    await page.getByRole('button', { name: 'Cancel all' }).click();
    expect(await page.locator('cubby-upload li').count()).toBe(0);
  });

  it('shows the next files when the first ones are done', async () => {
    const { page } = await pages.opened();
    const count = 104;
    const status = page.locator('cubby-upload .total-status');
    let answered = 6;
    const unanswered: Array<() => Promise<void>> = [];
    await page.route('**/v1/objects?*', (route) =>
      answered-- > 0 ? route.continue() : void unanswered.push(() => route.continue()),
    );
    await dropOn(page, [
      await folderWith(
        'Some',
        Array.from({ length: count }, (_, index) => `file-${index}.txt`),
      ),
    ]);
    await status.filter({ hasText: `6 of ${count} files` }).waitFor();
    // Four completed files have given their rows to the last four.
    const states = await page
      .locator('cubby-upload li')
      .evaluateAll((rows) => rows.map((one: any) => one.dataset.state as string));
    expect([states.length, states.filter((state) => state === 'completed').length]).toEqual([100, 2]);
    expect(await page.locator('cubby-upload .more').innerText()).toBe('and 4 more files');
    expect(await page.locator('cubby-upload').evaluate((element: any) => element.value.length)).toBe(6);
    if (!isLong) return;
    answered = count;
    await Promise.all(unanswered.map((go) => go()));
    await status.filter({ hasText: `${count} of ${count} files` }).waitFor();
    expect(await page.locator('cubby-upload li').count()).toBeLessThanOrEqual(100);
    expect(await page.locator('cubby-upload').evaluate((element: any) => element.value.length)).toBe(count);
  });
});

/** A second implementation of the checksum in names: FNV-1a. */
function sum(text: string): string {
  let hash = 0x811c9dc5;
  for (const unit of text) hash = Math.imul(hash ^ unit.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
