import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFailed, onTestFinished } from 'vitest';

import { sharedChromium, noChromium } from '#test/support/chromium.ts';
import { recordPage } from '#test/support/page-record.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';
import { startDemoServer, type DemoPage, type DemoServer } from './demo-page.ts';

const mebibyte = 1_048_576;
/** Three parts of the smallest size that the server accepts. */
const [sizeBytes, partBytes] = [11 * mebibyte, 5 * mebibyte];

describe.skipIf(noChromium)(
  `<cubby-upload> and its records of earlier uploads${noChromium ? ` (skipped: ${noChromium})` : ''}`,
  () => {
    let demo: DemoServer;
    let browser: Browser;
    beforeAll(async () => {
      demo = await startDemoServer();
      browser = await sharedChromium();
    });
    afterAll(async () => {
      await browser?.close();
      await demo?.server.stop();
    });

    let context: BrowserContext | undefined;
    let first: DemoPage | undefined;

    /** The page that the tests share, without records of earlier uploads. */
    async function opened(): Promise<Page> {
      onTestFailed(async () => {
        await context?.close();
        context = first = undefined;
      });
      context ??= await browser.newContext();
      if (first) await demo.renew(first);
      else first = await demo.open(context);
      recordPage(first.page);
      await first.page.evaluate(
        () =>
          new Promise<void>((resolve, reject) =>
            Object.assign((globalThis as any).indexedDB.deleteDatabase('cubby-uploader'), {
              onsuccess: resolve,
              onerror: reject,
            }),
          ),
      );
      return first.page;
    }

    /** Chooses the same file each time. */
    const choose = (page: Page, credential: string, attributes: Readonly<Record<string, string>> = {}) =>
      page.locator('cubby-upload').evaluate(
        (element: any, [token, size, chunkSizeBytes, more]) => {
          for (const [name, value] of Object.entries(more)) element.setAttribute(name, value);
          element.removeAttribute('prefix');
          element.removeAttribute('private');
          element.credential = async () => token;
          element.options = { singleUpToBytes: 0, chunkSizeBytes };
          const pieces = Array.from({ length: size / 65_536 }, (_, index) => new Uint8Array(65_536).fill(index));
          element.addFiles([new (globalThis as any).File(pieces, 'plan.pdf', { lastModified: 1 })]);
        },
        [credential, sizeBytes, partBytes, attributes] as const,
      );
    const inState = (page: Page, state: string) => page.locator(`cubby-upload li[data-state=${state}]`).waitFor();
    const openUploads = async () =>
      (await demo.server.send('/v1/objects/chunked/open', { credential: demo.account.credential })).json().response
        .uploads;
    const told = (page: Page) => page.locator('#events').innerText();

    /** Returns a page that was reloaded while it sent parts. */
    async function interrupted(credential: string, attributes?: Readonly<Record<string, string>>): Promise<Page> {
      const page = await opened();
      const letGo = demo.hold('PUT');
      onTestFinished(letGo);
      demo.parts.length = 0;
      await choose(page, credential, attributes);
      await expect.poll(() => demo.parts.length).toBe(3);
      await page.reload();
      letGo();
      return page;
    }

    it('does not send a file to the project of another token', async () => {
      const [one, other] = [
        await tokenOf(demo.server, demo.account, { prefix: 'project-a' }),
        await tokenOf(demo.server, demo.account, { prefix: 'project-b' }),
      ];
      const page = await interrupted(one);
      await choose(page, other);
      await inState(page, 'completed');
      expect(await told(page)).toContain(`pub/${demo.account.id}/project-b/plan`);
    });

    it.each([{}, { 'resume-scope': 'user 7' }])(
      'continues with another token for the same project (%j)',
      async (attributes) => {
        const [one, other] = [
          await tokenOf(demo.server, demo.account, { prefix: 'project-c' }),
          await tokenOf(demo.server, demo.account, { prefix: 'project-c' }),
        ];
        const before = (await openUploads()).length;
        const page = await interrupted(one, attributes);
        const starts: string[] = [];
        page.on('request', (request) => void (request.method() === 'POST' && starts.push(request.url())));
        await choose(page, other, attributes);
        await inState(page, 'completed');
        expect(await told(page)).toContain(`pub/${demo.account.id}/project-c/plan`);
        expect(starts).toHaveLength('resume-scope' in attributes ? 0 : 1);
        expect(await openUploads()).toHaveLength(before);
      },
    );

    it('does not affect an upload that runs in another tab', async () => {
      const tab = await opened();
      const { page: second } = await demo.open(context!);
      onTestFinished(() => second.close());
      const before = (await openUploads()).length;
      demo.parts.length = 0;
      const letGo = demo.hold('PUT');
      onTestFinished(letGo);
      await choose(tab, demo.account.credential);
      await expect.poll(() => demo.parts.length).toBe(3);
      await choose(second, demo.account.credential);
      await expect.poll(() => demo.parts.length).toBe(6);
      await second.getByRole('button', { name: 'Cancel: plan.pdf' }).click();
      await second.locator('cubby-upload li').waitFor({ state: 'detached' });
      expect(await openUploads()).toHaveLength(before + 1);
      letGo();
      await inState(tab, 'completed');
    });

    it('leaves nothing behind of a failed file that is removed from the list', async () => {
      const page = await opened();
      const before = (await openUploads()).length;
      const refused = { status: 'error', code: 'STORAGE_QUOTA_EXCEEDED', message: 'There is no room.' };
      await page.route('**/v1/objects/chunked?*part=*', (route) =>
        route.request().method() === 'PUT' ? route.fulfill({ status: 403, json: refused }) : route.continue(),
      );
      await choose(page, demo.account.credential);
      await inState(page, 'failed');
      expect(await openUploads()).toHaveLength(before + 1);
      await page.getByRole('button', { name: 'Remove from the list: plan.pdf' }).click();
      await expect.poll(async () => (await openUploads()).length).toBe(before);
    });

    it('opens its database again after the user has cleared it', async () => {
      const page = await opened();
      // As a text, because the module is the one of the page.
      const kept = await page.evaluate(`(async () => {
      const { indexedDbStore } = await import('/docs/modules/uploader/index.js');
      const store = indexedDbStore('of-this-test');
      await store.set('one', { startedAt: 1 });
      await new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase('of-this-test');
        Object.assign(request, { onsuccess: resolve, onerror: reject });
      });
      const gone = await store.get('one');
      await store.set('two', { startedAt: 2 });
      return [gone, await store.get('two')];
    })()`);
      expect(kept).toEqual([undefined, { startedAt: 2 }]);
    });
  },
);
