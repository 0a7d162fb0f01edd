import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { startMock } from '#mocks/mock.ts';
import { startSandbox, type Sandbox } from '#mocks/sandbox.ts';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { needPackages, needPrograms } from '#test/support/need-programs.ts';
import { followGuide } from './follow-guide.ts';

let sandbox: Sandbox;
let key: string;
beforeAll(async () => {
  const ports = Object.fromEntries(
    ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door) => [`CUBBY_${door}_PORT`, '0']),
  );
  sandbox = await startSandbox({ env: ports });
  key = sandbox.accounts.find(({ plan }) => plan === 'enterprise')!.credential;
});
afterAll(async () => {
  await sandbox.stop();
  expect(sandbox.wrongAnswers).toEqual([]);
});

const report = Buffer.from('%PDF-1.4 A report. '.repeat(200));

const follow = (
  guide: string,
  files?: Readonly<Record<string, string | Uint8Array>>,
  addresses?: Readonly<Record<string, string>>,
) => followGuide({ api: sandbox.urls.api, key }, guide, files, addresses);

describe('the guides for programs, run as they stand', () => {
  it('file-requests.md takes a picture into the folder of its sender, and closes the page', async () => {
    const printed = await (await follow('file-requests.md')).commands();
    expect(printed).toMatch(/^page http:\/\S+\/r\/\w+$/m);
    expect(printed).toMatch(/"name":"beach\.jpg","size":9,/);
    expect(printed).toMatch(/prv\/\d+\/party\/Ann\/beach\.jpg/);
    expect(printed).toMatch(/"offset":10,"size":16,"complete":false/);
    expect(printed).toMatch(/prv\/\d+\/party\/Bob\/sea\.jpg/);
    expect(printed).toContain('"state":"closed"');
  });

  it('start/chat.md gets an answer, and the usage of the day', async () => {
    const printed = await (await follow('start/chat.md')).commands();
    expect(printed).toContain('"chat.completion"');
    expect(printed).toContain('"requests"');
  });

  it('start/run.md checks the server and creates a key with few rights', async () => {
    const { commands } = await follow('start/run.md');
    const printed = await commands();
    expect(printed).toContain('"prefixes":["website"]');
  });

  it('start/mock.md tests against the sandbox, and gets an error from the mock by its code', async () => {
    const mock = await startMock({ port: 0 });
    onTestFinished(() => mock.close());
    const { commands } = await follow('start/mock.md', {}, { 'http://127.0.0.1:7410': mock.url });
    const printed = await commands();
    expect(printed).toContain('"RATE_LIMITED"');
    expect(printed).toMatch(/pass 2/);
  });

  it('recipes.md works from the first recipe to the last', async () => {
    const printed = await (await follow('recipes.md', { 'report.pdf': report })).commands();
    for (const words of [
      '"replaced":true',
      'SHARE_EXHAUSTED',
      'report (2).pdf',
      'MISSING_SCOPE',
      '"delete_after_days":30',
      'reports/final',
    ])
      expect(printed).toContain(words);
  });

  it('start/s3.md uploads over S3, and REST shows the same file', async () => {
    needPrograms('aws');
    const printed = await (await follow('start/s3.md', { 'report.pdf': report })).commands();
    expect(printed).toContain('reports/report.pdf');
    expect(printed).toMatch(/"id":"prv\/\d+\/reports\/report\.pdf"/);
    const presigned = /^https?:\S+X-Amz-Signature\S+$/m.exec(printed)![0];
    expect((await fetch(presigned)).status).toBe(200);
  });

  it('from-wetransfer.md sends two files as one archive, and opens a page for files of others', async () => {
    const files = { 'report.pdf': report, 'plan.pdf': report };
    const { folder, commands } = await follow('from-wetransfer.md', files);
    const printed = await commands();
    expect((await fetch(/^ask for files at (\S+)$/m.exec(printed)![1]!)).status).toBe(200);
    const page = await (await fetch(/^send (\S+)$/m.exec(printed)![1]!, { headers: { Accept: 'text/html' } })).text();
    for (const words of ['Papers of May', 'Please sign.', 'plan.pdf', 'report.pdf']) expect(page).toContain(words);
    expect((await readFile(join(folder, 'papers.zip'))).subarray(0, 2).toString()).toBe('PK');
  });

  /** Stores a file below the prefix `theirs`, which stands for a bucket of another service, and returns its address. */
  async function stored(name: string): Promise<string> {
    const form = new FormData();
    form.append('file', new Blob([report]), `${name}.pdf`);
    const answer = await fetch(`${sandbox.urls.api}/v1/objects?prefix=theirs&name=${name}`, {
      method: 'POST',
      headers: { Authorization: key },
      body: form,
    });
    return ((await answer.json()) as { response: { url: string } }).response.url;
  }

  const lines = async (path: string) =>
    (await (await fetch(`${sandbox.urls.api}${path}`, { headers: { Authorization: key } })).text()).match(
      /"id":"[^"]+"/g,
    ) ?? [];

  it('from-supabase-storage.md copies a bucket from one S3 service to another', async () => {
    needPrograms('rclone');
    await stored('face');
    const theirs = {
      'https://PROJECT_REF.supabase.co/storage/v1/s3': '"$S3_URL"',
      PROJECT_REGION: 'auto',
      THEIR_ACCESS_KEY_ID: '"$AWS_ACCESS_KEY_ID"',
      THEIR_SECRET_ACCESS_KEY: '"$AWS_SECRET_ACCESS_KEY"',
      'supabase:avatars': 'supabase:public/theirs',
    };
    await (await follow('from-supabase-storage.md', {}, theirs)).commands();
    expect(await lines('/v1/objects?prefix=avatars/')).toEqual([expect.stringMatching(/pub\/\d+\/avatars\/face\.pdf/)]);
  });

  /** A package with one module, in the place of another service's own. */
  const standIn = (name: string, path: string, code: string) => ({
    [`node_modules/${name}/package.json`]: JSON.stringify({ name, type: 'module', exports: { [path]: './index.js' } }),
    [`node_modules/${name}/index.js`]: code,
  });

  it('from-vercel-blob.md copies every page of a store, with names that REST would refuse', async () => {
    needPackages('@aws-sdk/client-s3', '@aws-sdk/lib-storage');
    const url = await stored('blob');
    const pages = [
      { blobs: [{ pathname: 'moved/one.pdf', url }], cursor: 'more' },
      { blobs: [{ pathname: 'moved/no ascii é.pdf', url }] },
    ];
    const files = standIn(
      '@vercel/blob',
      '.',
      `export const list = ({ cursor }) => ${JSON.stringify(pages)}[cursor ? 1 : 0];`,
    );
    const printed = await (await follow('from-vercel-blob.md', files)).commands();
    expect(printed).toBe('copied moved/one.pdf\ncopied moved/no ascii é.pdf\n');
    expect(await lines('/v1/objects?prefix=moved/')).toHaveLength(2);
  });

  it('from-uploadthing.md copies files under their keys', async () => {
    needPackages('@aws-sdk/client-s3', '@aws-sdk/lib-storage');
    const url = await stored('thing');
    const files = standIn(
      'uploadthing',
      './server',
      `export class UTApi { listFiles = () => ({ files: [{ key: 'k1_a', name: 'thing.pdf' }] }); }`,
    );
    const theirs = { 'https://APP_ID.ufs.sh/f/${key}': `${url}?key=\${key}` };
    const printed = await (await follow('from-uploadthing.md', files, theirs)).commands();
    expect(printed).toBe('copied k1_a/thing.pdf\n');
    expect(await lines('/v1/objects?prefix=k1_a/')).toHaveLength(1);
  });

  it('tutorials/backup-restic.md restores what was backed up', async () => {
    needPrograms('restic');
    const printed = await (await follow('tutorials/backup-restic.md')).commands();
    expect(printed).toContain('no errors were found');
    expect(printed).toContain('the thesis');
  });
});

describe.skipIf(noChromium)(
  `the guides for pages, in a browser${noChromium ? ` (skipped: ${noChromium})` : ''}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await sharedChromium();
    });
    afterAll(() => browser.close());

    async function open(address: string): Promise<{ page: Page; complaints: string[] }> {
      const page = await browser.newPage();
      onTestFinished(() => page.close());
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('favicon')) complaints.push(message.text());
      });
      await page.goto(address);
      return { page, complaints };
    }

    const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
      page.locator('cubby-upload input[type=file]').first().setInputFiles({ name, mimeType, buffer });

    /** A picture of 64 × 64 points in random colors. */
    const picture = (page: Page): Promise<Buffer> =>
      page
        .evaluate(() => {
          const canvas = (globalThis as any).document.createElement('canvas');
          canvas.width = canvas.height = 64;
          const context = canvas.getContext('2d')!;
          for (let at = 0; at < 64 * 64; at++) {
            context.fillStyle = `hsl(${(at * 47) % 360} 80% ${at % 90}%)`;
            context.fillRect(at % 64, at / 64, 1, 1);
          }
          return canvas.toDataURL('image/png').split(',')[1]!;
        })
        .then((text) => Buffer.from(text, 'base64'));

    it('start/page.md stores a file from a page without a key, and the last command lists it', async () => {
      const { start, commands } = await follow('start/page.md');
      const { page, complaints } = await open((await start()).address);
      await choose(page, 'notes.txt', 'text/plain', Buffer.from('A note. '.repeat(200)));
      await page.getByText(/^Stored as pub\/\d+\/inbox\/notes_\w+\.txt$/).waitFor();
      expect(await page.content()).not.toContain(key);
      expect(await commands()).toMatch(/pub\/\d+\/inbox\/notes_\w+\.txt/);
      expect(complaints).toEqual([]);
    });

    it('tutorials/photo-drop.md shows the photo that was dropped', async () => {
      const { page, complaints } = await open((await (await follow('tutorials/photo-drop.md')).start()).address);
      await choose(page, 'party.png', 'image/png', await picture(page));
      const photo = page.locator('#photos img');
      // The page adds its own photo, and lists all anew from time to time.
      const width = async () => {
        await photo.first().scrollIntoViewIfNeeded();
        return photo.first().evaluate((image: any) => image.naturalWidth);
      };
      await expect.poll(width).toBe(64);
      expect(complaints).toEqual([]);
    });

    it('tutorials/contact-form.md gives the team a link to the attachment, and none to other files', async () => {
      const { address, printed } = await (await follow('tutorials/contact-form.md')).start();
      const { page, complaints } = await open(address);
      await page.getByLabel('Your address').fill('visitor@example.com');
      await page.getByLabel('Message').fill('Please look at this.');
      await choose(page, 'plan.pdf', 'application/pdf', report);
      await expect
        .poll(() => page.evaluate("new FormData(document.forms[0]).get('attachment')"))
        .toMatch(/^prv\/\d+\/contact\/plan_\w+-ex90\.pdf$/);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('We have your message and 1 file(s).').waitFor();
      expect(await page.getByText('did not arrive').count()).toBe(0);
      const { links, from } = JSON.parse(/^\{.*\}$/m.exec(printed())![0]) as { links: string[]; from: string };
      expect(from).toBe('visitor@example.com');
      expect(Buffer.from(await (await fetch(links[0]!)).arrayBuffer())).toEqual(report);
      await page.goto(address);
      await page.getByLabel('Your address').fill('visitor@example.com');
      await page.getByLabel('Message').fill('And these.');
      // The token accepts no such type, and the element nothing that is so small.
      await choose(page, 'film.mp4', 'video/mp4', report);
      await page.locator('cubby-upload li[data-state=failed]').waitFor();
      await choose(page, 'tiny.pdf', 'application/pdf', Buffer.from('tiny'));
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('We have your message and 0 file(s).').waitFor();
      expect((await page.getByRole('listitem').allInnerTexts()).sort()).toEqual(['film.mp4', 'tiny.pdf']);
      const body = new URLSearchParams({ email: 'a@b', message: 'm', attachment: 'prv/1/secrets/plan.pdf' });
      expect((await fetch(`${address}/contact`, { method: 'POST', body })).status).toBe(400);
      // The browser reports the rejected upload.
      expect(complaints.filter((text) => !/status of 400/.test(text))).toEqual([]);
    });
  },
);
