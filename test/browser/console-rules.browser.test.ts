import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { TestClock } from '#test/support/clock.ts';
import { findings, openScreen, tabTo } from '#test/support/console-screens.ts';
import { needPrograms } from '#test/support/need-programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { fillStorage } from '#test/support/storage-sample.ts';

const run = promisify(execFile);

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ clock: new TestClock(Date.now()) }), sharedChromium()]);
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});

async function rulesOf({ credential }: TestAccount): Promise<any[]> {
  return (await server.send('/v1/account/settings', { credential })).json().response.rules;
}

describe.skipIf(noChromium)(`rules and upload tokens${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('makes a rule by keyboard alone, with a preview of the files that it touches', async () => {
    const account = await server.account('enterprise');
    await fillStorage(server, account, 'plain');
    const { page } = await openScreen({ browser, server }, 'rules', account.credential);
    await page.getByRole('heading', { name: 'contracts/' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('n');
    await page.keyboard.type('photos/2026/sea');
    await page.getByText('No file is in this folder yet.').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('cont');
    await page.getByText('No file is in this folder yet.').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('party');
    await tabTo(page, 'Expires after');
    await page.keyboard.type('30d');
    await tabTo(page, 'Days in the trash');
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await page.getByText('The rule is saved.').waitFor();
    const rules = await rulesOf(account);
    expect(rules.map(({ prefix }) => prefix)).toEqual(['contracts/', 'party/', 'photos/', 'photos/2026/']);
    expect(rules[1]).toMatchObject({ expire: '30d', keep_deleted_days: 5 });
    expect(rules[0]).toMatchObject({ private: true, extensions: ['pdf'], max_size: 52_428_800 });
  });

  it('says how many files a longer rule keeps, and how many would be deleted', async () => {
    const account = await server.account('enterprise');
    await fillStorage(server, account, 'plain');
    const { page } = await openScreen({ browser, server }, 'rules', account.credential);
    await page.getByRole('button', { name: 'Change the rule of photos/', exact: true }).click();
    await page.getByText('0 files, 0 B').waitFor();
    await page.getByText('2 more have the longer rule photos/2026/').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Change the rule of contracts/' }).click();
    await page.getByText('2 files, 1.2 KiB').waitFor();
    await page.getByLabel('Delete files after days').fill('1');
    await page.getByText('2 of them are old enough to be deleted 24 hours after saving.').waitFor();
    await page.getByText('The first ones').click();
    await page.getByRole('listitem').getByText('contracts/lease').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('shows an error at its field, and names the rule of an error about another one', async () => {
    const account = await server.account('hobby');
    const { page } = await openScreen({ browser, server }, 'rules', account.credential);
    await page.getByText('No rules yet').waitFor();
    await page.getByRole('button', { name: 'New rule' }).first().click();
    await page.getByLabel('Folder', { exact: true }).fill('logs');
    await page.getByLabel('Expires after').fill('9999d');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByLabel('Expires after').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Expires after').fill('1d');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('In the rule of logs/:').waitFor();
    await page.getByLabel('Expires after').fill('30d');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The rule is saved.').waitFor();
    await page.getByRole('button', { name: 'New rule' }).click();
    await page.getByLabel('Folder', { exact: true }).fill('logs/');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This folder has a rule already. Change that one.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove the rule of logs/' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('The rule is removed.').waitFor();
    expect(await rulesOf(account)).toEqual([]);
  });

  it('shows rules to a restricted key, and no way to change them', async () => {
    const account = await server.account('enterprise');
    await fillStorage(server, account, 'plain');
    const key = await server.key(account, { scopes: ['blob:read', 'blob:write'], prefixes: ['contracts'] });
    const { page } = await openScreen({ browser, server }, 'rules', key, { width: 390 });
    await page.getByText('Your key is restricted to folders').waitFor();
    await page.getByRole('heading', { name: 'contracts/' }).waitFor();
    expect(await page.getByRole('button', { name: /rule/i }).allTextContents()).toEqual(['Rules']);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('makes an upload token whose curl line, page and program upload', async () => {
    needPrograms('curl');
    const account = await server.account('pro');
    const { page } = await openScreen({ browser, server }, 'rules?part=tokens', account.credential);
    await page.getByRole('button', { name: 'New upload token' }).click();
    await page.getByLabel('Folder', { exact: true }).fill('avatars');
    await page.getByLabel('Allowed extensions').fill('png, jpg');
    await page.getByLabel('Largest file').fill('5 MB');
    await page.getByLabel('Uploads that it may start').fill('3');
    await page.getByText('More options').click();
    await page.getByLabel('Metadata of the files').fill('not a pair');
    await page.getByRole('button', { name: 'Create the token' }).click();
    await page.getByText('Write one “key: value” a line.').waitFor();
    await page.getByLabel('Metadata of the files').fill('customer: acme');
    await page.getByRole('button', { name: 'Create the token' }).click();
    await page.getByRole('heading', { name: 'The upload token' }).waitFor();
    expect(await findings(page)).toEqual([]);

    const folder = await mkdtemp(join(tmpdir(), 'cubby-snippet-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'photo.png'), 'p'.repeat(600));
    const lines = await page.locator('dialog pre').textContent();
    const { stdout } = await run('sh', ['-c', lines!], { cwd: folder });
    expect(JSON.parse(stdout).response.id).toMatch(/avatars\/photo/);

    await page.getByRole('button', { name: 'Web page' }).click();
    const html = (await page.locator('dialog pre').textContent())!;
    expect(html).toContain('prefix="avatars" multiple');
    const site = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end(`<!doctype html>${html}`);
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void site.close());
    await once(site, 'listening');
    const visitor = await browser.newPage();
    onTestFinished(() => visitor.close());
    await visitor.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await visitor.locator('cubby-upload input[type=file]').first().setInputFiles(join(folder, 'photo.png'));
    await expect.poll(() => visitor.evaluate("document.querySelector('cubby-upload').value?.length")).toBe(1);

    await page.getByRole('button', { name: 'Package' }).click();
    const program = (await page.locator('dialog pre').textContent())!;
    const uploader = new URL('../../dist/modules/uploader/index.js', import.meta.url).href;
    await writeFile(join(folder, 'upload.mjs'), program.replace('cubby-client/uploader', uploader));
    expect((await run(process.execPath, ['upload.mjs'], { cwd: folder })).stdout).toMatch(/avatars\/photo/);

    const { credential } = account;
    const info = (await server.send('/v1/objects?prefix=avatars/&fields=metadata', { credential })).json().response;
    expect(info.objects.map(({ metadata }: { metadata: unknown }) => metadata)).toEqual([
      { customer: 'acme' },
      { customer: 'acme' },
      { customer: 'acme' },
    ]);
  });
});
