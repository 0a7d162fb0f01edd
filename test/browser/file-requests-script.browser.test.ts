import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createRequest, keysOf, requestNow, type TestFileRequest } from '#test/support/file-requests.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { recordPage } from '#test/support/page-record.ts';
import { someBytes } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

const mebibyte = 1_048_576;
const largeBytes = 40 * mebibyte;

describe.skipIf(noChromium)(`the script of file requests${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  let server: TestServer;
  let browser: Browser;
  let account: TestAccount;
  let folder: string;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer(), sharedChromium()]);
    folder = await mkdtemp(join(tmpdir(), 'cubby-script-'));
    await mkdir(join(folder, 'Trip/day 2'), { recursive: true });
    await writeFile(join(folder, 'Trip/beach.txt'), 'beach');
    await writeFile(join(folder, 'Trip/day 2/sun.txt'), 'sun');
    await writeFile(join(folder, 'Trip/day 2/empty.txt'), '');
    await writeFile(join(folder, 'Trip/program.exe'), 'MZ');
    await writeFile(join(folder, 'large.bin'), someBytes(largeBytes));
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), server?.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * A page of a request, and the errors that the browser reported, including violations of the content security policy.
   */
  async function opened(request: TestFileRequest, locale = 'en-GB'): Promise<{ page: Page; complaints: string[] }> {
    account ??= await server.account();
    const context = await browser.newContext({ locale, viewport: { width: 390, height: 800 } });
    const page = await context.newPage();
    recordPage(page);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (!/responded with a status of 4/.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(request.url);
    return { page, complaints };
  }

  async function made(body: Readonly<Record<string, unknown>> = {}): Promise<TestFileRequest> {
    account = await server.account();
    return createRequest(server, account, body);
  }

  /** Drops a file or a folder of the disk, as a person does. */
  async function drop(page: Page, path: string): Promise<void> {
    const devtools = await page.context().newCDPSession(page);
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', { type, x: 150, y: 300, data });
  }

  async function middleOf(page: Page, button: string): Promise<[x: number, y: number]> {
    const box = await page.getByRole('button', { name: button, exact: true }).boundingBox();
    return [box!.x + box!.width / 2, box!.y + box!.height / 2];
  }

  const status = (page: Page) => page.locator('[role=status]');
  const states = (page: Page) =>
    page.locator('.sending > li').evaluateAll((rows: any[]) => rows.map((row) => row.dataset.state));

  test('a dropped folder is sent file by file, and a file that is not taken stops no other one', async () => {
    const request = await made({ sender_folders: true });
    const { page, complaints } = await opened(request);
    await page.fill('#sender', 'Ann');
    await drop(page, join(folder, 'Trip'));
    await expect.poll(() => page.locator('.sending > li').count()).toBe(4);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => status(page).innerText()).toBe('3 of 4 files have arrived Not stored: 1.');
    expect((await states(page)).toSorted()).toEqual(['failed', 'stored', 'stored', 'stored']);
    expect(await page.locator('[data-state=failed]').innerText()).toMatch(/program\.exe/);
    expect(await keysOf(server, account)).toEqual([
      'inbox/Ann/Trip/beach.txt',
      'inbox/Ann/Trip/day 2/empty.txt',
      'inbox/Ann/Trip/day 2/sun.txt',
    ]);
    await page.getByRole('button', { name: 'Remove: Trip/program.exe' }).click();
    await expect.poll(() => status(page).innerText()).toBe('All your files have arrived.');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await requestNow(server, account, request)).toMatchObject({ files: 3, senders: 1 });
    expect(complaints).toEqual([]);
  });

  test('a large file is paused, goes on after a reload of the page, and is stored once', async () => {
    const request = await made();
    const { page, complaints } = await opened(request);
    const bodies: number[] = [];
    page.on('request', (sent) => {
      if (sent.method() === 'PATCH') bodies.push(Number(sent.headers()['upload-offset']));
    });
    // On a busy machine, the press of a button takes a second. The rest of the file takes four.
    const devtools = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 6 * mebibyte };
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', slow);
    await page.setInputFiles('#file', join(folder, 'large.bin'));
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const bar = page.getByRole('progressbar', { name: 'All files' });
    await expect.poll(() => bar.evaluate((element: any) => element.value)).toBeGreaterThan(0.42);
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => page.locator('.sending > li').innerText()).toContain('Paused');
    expect(await requestNow(server, account, request)).toMatchObject({ files: 0 });
    await page.reload();
    await devtools.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
    bodies.length = 0;
    await page.setInputFiles('#file', join(folder, 'large.bin'));
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => status(page).innerText(), { timeout: 20_000 }).toBe('All your files have arrived.');
    expect(bodies[0]).toBeGreaterThanOrEqual(16 * mebibyte);
    // Chosen again, it is there already.
    await page.reload();
    bodies.length = 0;
    await page.setInputFiles('#file', join(folder, 'large.bin'));
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => status(page).innerText()).toBe('All your files have arrived.');
    expect(bodies).toEqual([]);
    expect(await requestNow(server, account, request)).toMatchObject({ files: 1, bytes: largeBytes });
    expect(complaints).toEqual([]);
  });

  test('no button moves away while it is pressed, because it would lose its click', async () => {
    const { page } = await opened(await made());
    await page.clock.install();
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await page.mouse.move(...(await middleOf(page, 'Send')));
    await page.mouse.down();
    await page.setInputFiles('#file', join(folder, 'Trip/beach.txt'));
    await page.clock.runFor(200);
    expect(await page.locator('.sending > li').count()).toBe(0);
    await page.mouse.up();
    await page.clock.resume();
    await expect.poll(() => status(page).innerText()).toBe('All your files have arrived.');
    // A press that goes on for long hides no progress.
    await page.mouse.down();
    await page.setInputFiles('#file', join(folder, 'Trip/day 2/sun.txt'));
    await page.clock.runFor(2000);
    await expect.poll(() => page.locator('.sending > li').count()).toBe(2);
    await page.mouse.up();
  });

  test('a broken line is tried again, and the reasons are in the language of the sender', async () => {
    const request = await made({ allowed_extensions: ['txt'] });
    const { page } = await opened(request, 'pt-BR');
    let breaks = 0;
    await page.route('**/uploads/*', (route) => (breaks++ === 0 ? route.abort() : route.continue()));
    await page.setInputFiles('#file', [join(folder, 'Trip/beach.txt'), join(folder, 'Trip/program.exe')]);
    await page.getByRole('button', { name: 'Enviar' }).click();
    await expect
      .poll(() => status(page).innerText(), { timeout: 30_000 })
      .toBe('1 de 2 arquivos chegaram Não armazenados: 1.');
    expect(breaks).toBeGreaterThan(1);
    expect(await keysOf(server, account)).toEqual(['inbox/beach.txt']);
    // The keyboard reaches what can be done, and the name of a file is said with it.
    await page.getByRole('button', { name: 'Remover: program.exe' }).press('Enter');
    await expect.poll(() => status(page).innerText()).toBe('Todos os seus arquivos chegaram.');
  });
});
