import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { changeRequest, createRequest, keysOf, requestNow, type TestFileRequest } from '#test/support/file-requests.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { verifySentReceipt } from '#dist/modules/client/index.js';

describe.skipIf(noChromium)(`file requests in a browser${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  let server: TestServer;
  let browser: Browser;
  let account: TestAccount;
  let folder: string;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer(), sharedChromium()]);
    account = await server.account();
    folder = await mkdtemp(join(tmpdir(), 'cubby-sender-'));
    await mkdir(join(folder, 'Férias/2026'), { recursive: true });
    await writeFile(join(folder, 'Férias/praia.txt'), 'praia');
    await writeFile(join(folder, 'Férias/2026/sol "grande".txt'), 'sol');
    await writeFile(join(folder, 'one.txt'), 'one');
    await writeFile(join(folder, 'two.txt'), 'two');
    await writeFile(join(folder, 'program.exe'), 'MZ');
    await writeFile(join(folder, 'empty.txt'), '');
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), server?.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  /** A browser without script, and the errors that it reported, including violations of the content security policy. */
  async function sender(locale = 'en-GB'): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({ javaScriptEnabled: false, locale, acceptDownloads: true });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (!/responded with a status of 4/.test(message.text())) complaints.push(message.text());
    });
    return { page, complaints };
  }

  const heading = (page: Page) => page.locator('h1').innerText();
  const send = async (page: Page, request: TestFileRequest, files: readonly string[], name?: string) => {
    await page.goto(request.url);
    if (name !== undefined) await page.fill('#sender', name);
    await page.setInputFiles(
      '#file',
      files.map((file) => join(folder, file)),
    );
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  };

  test('a sender without script sends files and a folder, reloads, and saves the receipt', async () => {
    const request = await createRequest(server, account, { prefix: 'party', sender_folders: true });
    const { page, complaints } = await sender();
    await page.goto(request.url);
    await page.fill('#sender', 'Ann');
    await page.setInputFiles('#file', [
      join(folder, 'one.txt'),
      join(folder, 'empty.txt'),
      join(folder, 'program.exe'),
    ]);
    await page.setInputFiles('#folder', join(folder, 'Férias'));
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    expect([await heading(page), page.url()]).toEqual(['Your files have arrived', `${request.url}/sent`]);
    const shown = await page.locator('main').innerText();
    expect(shown).toMatch(/Not stored\s+program\.exe/);
    expect(shown).toContain('Férias/2026/sol "grande".txt');
    // A reload sends no form again.
    await page.reload();
    expect(await requestNow(server, account, request)).toMatchObject({ files: 4, senders: 1 });
    expect((await keysOf(server, account)).filter((key) => key.startsWith('party/'))).toEqual([
      'party/Ann/Férias/2026/sol "grande".txt',
      'party/Ann/Férias/praia.txt',
      'party/Ann/empty.txt',
      'party/Ann/one.txt',
    ]);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save the signed receipt' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('receipt.jws');
    const receipt = (await readFile(await saved.path(), 'utf8')).trim();
    const keys = (await server.send('/v1/receipts/keys')).json();
    expect(await verifySentReceipt(receipt, keys)).toMatchObject({ action: 'receive', file_request: request.id });
    expect(complaints).toEqual([]);
  });

  test('comes back as the same sender, and another one sees nothing of it', async () => {
    const request = await createRequest(server, account, { prefix: 'again', sender_folders: true });
    const [first, second] = [await sender(), await sender()];
    await send(first.page, request, ['one.txt'], 'Ann');
    await first.page.getByRole('link', { name: 'Send more files' }).click();
    expect(await first.page.locator('main').innerText()).toContain('You send as Ann.');
    await send(first.page, request, ['one.txt', 'two.txt']);
    await send(second.page, request, ['two.txt'], 'Ann');
    const seen = await second.page.locator('main').innerText();
    expect([seen.includes('two.txt'), seen.includes('one.txt'), seen.includes('(2)')]).toEqual([true, false, false]);
    expect((await keysOf(server, account)).filter((key) => key.startsWith('again/'))).toEqual([
      'again/Ann (2)/two.txt',
      'again/Ann/one (2).txt',
      'again/Ann/one.txt',
      'again/Ann/two.txt',
    ]);
  });

  test("a form of which nothing is stored shows the reasons and the form again, in its sender's language", async () => {
    const request = await createRequest(server, account, { prefix: 'types', allowed_extensions: ['pdf'] });
    const { page, complaints } = await sender('es');
    await page.goto(request.url);
    await page.setInputFiles('#file', join(folder, 'one.txt'));
    await page.getByRole('button', { name: 'Enviar' }).click();
    const shown = await page.locator('main').innerText();
    expect(shown).toContain('No se ha guardado ninguno de tus archivos.');
    expect(shown).toContain('No se piden archivos de este tipo.');
    expect(await page.locator('#file').count()).toBe(1);
    await page.getByRole('button', { name: 'Enviar' }).click();
    expect(await page.locator('[role=alert]').innerText()).toContain('El formulario no tiene ningún archivo');
    expect(complaints).toEqual([]);
  });

  test('a password opens the page, and a closed one says so', async () => {
    const request = await createRequest(server, account, { prefix: 'locked', password: 'correct horse' });
    const { page, complaints } = await sender();
    await page.goto(request.url);
    await page.fill('#password', 'wrong horse');
    await page.getByRole('button', { name: 'Open' }).click();
    expect(await page.locator('[role=alert]').innerText()).toContain('That password is wrong.');
    await page.fill('#password', 'correct horse');
    await page.getByRole('button', { name: 'Open' }).click();
    expect([await heading(page), page.url()]).toEqual(['Photos of the party', request.url]);
    await send(page, request, ['one.txt']);
    expect(await heading(page)).toBe('Your files have arrived');
    await changeRequest(server, account, { id: request.id, state: 'closed' });
    await page.reload();
    expect(await page.getByRole('link', { name: 'Send more files' }).count()).toBe(0);
    await page.goto(request.url);
    expect(await heading(page)).toBe('This request is closed');
    expect(complaints).toEqual([]);
  });
});
