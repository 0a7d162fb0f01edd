import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { openConsole, signInWith, type ConsolePage } from '#test/support/console.ts';
import { upload } from '#test/support/files.ts';
import { findings } from '#test/support/console-screens.ts';
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

/** Stores some files, public ones in `invoices/` too. */
async function stored(...queries: ReadonlyArray<Record<string, string>>): Promise<void> {
  for (const query of queries)
    expect((await upload(server, account, { query, filename: `${query.name}.png` })).status).toBe(200);
}

async function open(path = '', options: Parameters<typeof openConsole>[2] = {}): Promise<ConsolePage> {
  const opened = await openConsole(browser, `${server.running.urls.api.replace(/\/$/, '')}/console${path}`, options);
  onTestFinished(() => opened.context.close());
  recordPage(opened.page);
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInWith(opened.page, account.credential);
  return opened;
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

const someText = Buffer.from('Twelve words of a text that is long enough. '.repeat(20));

/** The names of all files of the account. */
async function names(): Promise<string[]> {
  const answer = await server.send('/v1/objects', { credential: account.credential });
  const ids = answer.json().response.objects.map(({ id }: { id: string }) => id) as string[];
  return ids.map((id) => id.replace(/^(pub|prv)\/[^/]+\//, '').replace(/_[a-z0-9]{16}/, ''));
}

describe.skipIf(noChromium)(`the files of the console${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('lists folders and files, goes into a folder and back, and asks no other host', async () => {
    await stored({ name: 'logo' }, { name: 'secret', private: 'true' }, { name: 'april', prefix: 'invoices' });
    const { page, problems, origins } = await open();
    await row(page, 'logo').waitFor();
    expect(await row(page, 'invoices').count()).toBe(1);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'invoices', exact: true }).click();
    await row(page, 'april').waitFor();
    expect(page.url()).toMatch(/\/console\/files\/all\/invoices$/);
    await page.goBack();
    await row(page, 'logo').waitFor();
    await page.getByRole('link', { name: 'Private' }).click();
    await expect.poll(() => row(page, 'logo').count()).toBe(0);
    await row(page, 'secret').waitFor();
    expect(problems).toEqual([]);
    expect([...origins]).toEqual([new URL(server.running.urls.api).origin]);
  });

  it('finds by name and kind, and sorts by size', async () => {
    await stored({ name: 'alpha' }, { name: 'beta' });
    await upload(server, account, { bytes: Buffer.alloc(9000, 1), query: { name: 'large' }, filename: 'large.png' });
    const { page } = await open();
    await row(page, 'alpha').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('be');
    await expect.poll(() => row(page, 'alpha').count()).toBe(0);
    await row(page, 'beta').waitFor();
    await page.getByRole('searchbox').fill('');
    await row(page, 'alpha').waitFor();
    await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click();
    await expect.poll(() => page.locator('#row-0').textContent()).toContain('large');
    expect(page.url()).toContain('sort=size&order=desc');
    await page.getByLabel('Kind of file').selectOption('video');
    await page.getByText('Nothing fits').waitFor();
  });

  it('uploads chosen and dropped files with the session, and offers to replace a name that is taken', async () => {
    const { page, problems } = await open('/files/private/papers');
    await page.getByText('This folder is empty').waitFor();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload files' }).click();
    await (await choosing).setFiles([{ name: 'lease.txt', mimeType: 'text/plain', buffer: someText }]);
    await row(page, 'lease').waitFor();
    expect(await names()).toEqual(['papers/lease.txt']);
    await page.evaluate(`{
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(someText.toString())}], 'dropped.txt', { type: 'text/plain' }));
      const drop = new DragEvent('drop', { bubbles: true, dataTransfer: transfer });
      document.querySelector('.drop-zone').dispatchEvent(drop);
    }`);
    await row(page, 'dropped').waitFor();
    expect(problems).toEqual([]);
    const visibility = page.getByRole('group', { name: 'What you upload is' });
    await visibility.getByRole('button', { name: 'Public' }).click();
    await page.getByRole('link', { name: 'Public' }).click();
    // People know the file there by another name, and only the server sees that its key is the same.
    const other = { query: { name: 'open', prefix: 'papers' }, filename: 'other.txt' };
    expect((await upload(server, account, other)).status).toBe(200);
    const again = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload files' }).click();
    await (await again).setFiles([{ name: 'open.txt', mimeType: 'text/plain', buffer: someText }]);
    await page.getByText('A file with this name is already there.').waitFor();
    await page.getByRole('button', { name: 'Replace it' }).click();
    await page.getByText('Uploaded: 3').waitFor();
  });

  it('keeps what is uploaded private unless the person chooses otherwise, and marks public files', async () => {
    const { page, problems } = await open('/files/public');
    await page.getByText('This folder is empty').waitFor();
    const drop = (name: string) =>
      page.evaluate(`{
        const transfer = new DataTransfer();
        transfer.items.add(new File([${JSON.stringify(someText.toString())}], '${name}', { type: 'text/plain' }));
        const drop = new DragEvent('drop', { bubbles: true, dataTransfer: transfer });
        document.querySelector('.drop-zone').dispatchEvent(drop);
      }`);
    const isPrivate = async () => {
      const { objects } = (await server.send('/v1/objects', { credential: account.credential })).json().response;
      return Object.fromEntries(objects.map((one: any) => [/(\w+?)(?:_\w{16})?\.txt$/.exec(one.id)![1], one.private]));
    };
    await drop('first.txt');
    await page.getByText('Uploaded: 1').waitFor();
    // Before the first upload there is the same choice.
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'What you upload is: Private' }).click();
    const choice = page.getByRole('group', { name: 'What you upload is' });
    await choice.getByRole('button', { name: 'Public' }).click();
    await page.getByText('Anybody with the address can read the next files, without a key.').waitFor();
    expect(await findings(page)).toEqual([]);
    await drop('second.txt');
    await page.getByText('Anybody with the address can read these: 1').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    // The choice ends with the panel.
    await page.getByRole('button', { name: 'What you upload is: Private' }).waitFor();
    await drop('third.txt');
    await expect.poll(isPrivate).toEqual({ first: true, second: false, third: true });
    await page.getByRole('link', { name: 'All' }).click();
    await row(page, 'third').waitFor();
    expect(await row(page, 'second').getByText('Public').count()).toBe(1);
    for (const name of ['first', 'third']) expect(await row(page, name).getByText('Public').count(), name).toBe(0);
    await page.getByRole('button', { name: 'second.txt', exact: true }).click();
    await page.getByRole('complementary').getByText('Anybody with the address can read it.').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('sends large files in parts with the session', async () => {
    const { page } = await open();
    await page.getByText('This folder is empty').waitFor();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload files' }).click();
    // The browser reads it from the disk. Bytes would go to it as text, which takes half a minute on a busy machine.
    const folder = await mkdtemp(join(tmpdir(), 'cubby-big-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'big.bin'), Buffer.alloc(20 << 20, 7));
    await (await choosing).setFiles(join(folder, 'big.bin'));
    await row(page, 'big').waitFor();
    expect(await names()).toEqual(['big.bin']);
  });

  it('renames, moves and deletes by keyboard alone, and gives the focus back', async () => {
    await stored({ name: 'first' }, { name: 'second' }, { name: 'third' });
    const { page, problems } = await open();
    await row(page, 'first').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F2');
    await page.keyboard.type('renamed');
    await page.keyboard.press('Enter');
    await row(page, 'renamed').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('grid');
    await page.keyboard.press('Home');
    await page.keyboard.press(' ');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Delete');
    await page.getByRole('dialog', { name: 'Delete 2 entries?' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await names()).toHaveLength(3);
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('grid');
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').waitFor();
    // Not the red button has the focus, but the one before it.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(names).toHaveLength(1);
    await expect.poll(() => row(page, 'first').count()).toBe(0);
    await page.keyboard.press('Control+a');
    await page.getByText('1 chosen').waitFor();
    expect(problems).toEqual([]);
  });

  it('moves files and a folder together, with the folder as a job', async () => {
    await stored({ name: 'loose' }, { name: 'one', prefix: 'old' }, { name: 'two', prefix: 'old', private: 'true' });
    const { page } = await open();
    await row(page, 'loose').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('toolbar').getByRole('button', { name: 'Move' }).click();
    await page.getByLabel('Folder', { exact: true }).fill('archive/2026');
    await page.keyboard.press('Enter');
    // A job begins after the millisecond of its start.
    const ticking = setInterval(() => server.clock.advance(1), 100);
    onTestFinished(() => clearInterval(ticking));
    await expect
      .poll(async () => (await names()).map((name) => name.split('/').slice(0, -1).join('/')).sort())
      .toEqual(['archive/2026', 'archive/2026/old', 'archive/2026/old']);
    await row(page, 'archive').waitFor();
  });

  it('says what could not be changed', async () => {
    await stored({ name: 'same' }, { name: 'same', prefix: 'there' });
    const { page } = await open();
    await row(page, 'same').waitFor();
    await row(page, 'same').getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Copy' }).click();
    await page.getByLabel('Folder', { exact: true }).fill('there');
    await page.keyboard.press('Enter');
    await page.getByText('Changed: 0. Failed: 1.').waitFor();
    expect(await page.getByRole('link', { name: 'OBJECT_ALREADY_EXISTS' }).count()).toBe(1);
  });

  it('changes the visibility, and shows details with a preview and links', async () => {
    await upload(server, account, {
      bytes: someText,
      filename: 'notes.txt',
      query: { name: 'notes' },
    });
    const { page, problems, origins } = await open();
    await page.getByRole('button', { name: 'notes.txt', exact: true }).click();
    const details = page.getByRole('complementary');
    await details.getByText('text/plain').waitFor();
    expect(await details.locator('iframe').getAttribute('sandbox')).toBe('');
    // Before the file becomes private: a preview that comes after that finds nothing.
    await details.frameLocator('iframe').getByText('Twelve words').waitFor();
    expect(await findings(page)).toEqual([]);
    await details.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('The public address is copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('/notes.txt');
    await details.getByRole('button', { name: 'Change settings' }).click();
    await page.getByRole('dialog').getByLabel('Visibility').selectOption('private');
    await page.getByRole('dialog').getByRole('button', { name: 'Change settings' }).click();
    await expect.poll(() => row(page, 'notes').textContent()).toContain('Private');
    expect(problems).toEqual([]);
    // The host of public files is the server's own too.
    expect(origins.size).toBe(2);
  });

  it('makes a share link with its code', async () => {
    await stored({ name: 'lease', private: 'true' });
    const { page, problems } = await open();
    await row(page, 'lease').waitFor();
    await row(page, 'lease')
      .getByRole('button', { name: /Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    await page.getByLabel('Most downloads').fill('3');
    await page.getByLabel('Password').fill('long enough');
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    expect(await findings(page)).toEqual([]);
    const shares = (await server.send('/v1/shares', { credential: account.credential })).json();
    expect(JSON.stringify(shares)).toContain('"max_downloads":3');
    expect(problems).toEqual([]);
  });

  it('works at 390 px, as tiles too', async () => {
    await stored({ name: 'logo' }, { name: 'april', prefix: 'invoices' });
    const { page } = await open('', { width: 390 });
    await row(page, 'logo').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'As tiles' }).click();
    await page.getByRole('option', { name: /logo/ }).click();
    await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click();
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await page.getByRole('option', { name: /logo/ }).waitFor();
  });

  it('leads a key that is restricted to folders to these', async () => {
    await stored({ name: 'logo' }, { name: 'april', prefix: 'invoices/2026' });
    account = {
      ...account,
      credential: await server.key(account, { scopes: ['blob:read'], prefixes: ['invoices/2026'] }),
    };
    const { page } = await open();
    await page.getByRole('button', { name: 'invoices', exact: true }).click();
    await page.getByRole('button', { name: '2026', exact: true }).click();
    await row(page, 'april').waitFor();
  });

  it('hides all that changes something from a key that only reads', async () => {
    await stored({ name: 'logo' });
    account = { ...account, credential: await server.key(account, { scopes: ['blob:read'] }) };
    const { page } = await open();
    await row(page, 'logo').waitFor();
    expect(await page.getByRole('button', { name: 'Upload files' }).count()).toBe(0);
    await row(page, 'logo')
      .getByRole('button', { name: /Actions for/ })
      .click();
    await page.getByRole('menu').waitFor();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Open', 'Download', 'Copy link']);
  });
});
