import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';

import { noChromium } from '#test/support/chromium.ts';
import { leastOfThree } from '#test/support/shortest.ts';
import { choose, elementPages, fileOf, inState, row, said } from './element-page.ts';
import { generateFile } from './generated-file.ts';

const mebibyte = 1_048_576;

describe.skipIf(noChromium)(
  `<cubby-upload> with an unreachable server${noChromium ? ` (skipped: ${noChromium})` : ''}`,
  () => {
    const pages = elementPages();

    /** Records in the page when a row first says that the connection is lost. */
    const watchWords = () => {
      const { document, performance, MutationObserver } = globalThis as any;
      const list = document.querySelector('cubby-upload').shadowRoot.querySelector('ul');
      const page = globalThis as any;
      page.saidAfterMs = undefined;
      page.begunAt = undefined;
      new MutationObserver(() => {
        page.begunAt ??= performance.now();
        if (list.textContent.includes('No connection to the server'))
          page.saidAfterMs ??= performance.now() - page.begunAt;
      }).observe(list, { childList: true, subtree: true, characterData: true, attributes: true });
    };

    const saidAfterMs = (page: Page): Promise<number | undefined> =>
      page.evaluate(() => (globalThis as any).saidAfterMs);

    it('reports it within two seconds when nothing responds, and continues by itself', async () => {
      const { page } = await pages.opened();
      let thaw = () => {};
      onTestFinished(() => thaw());
      let name: string | undefined;
      let run = 0;
      const afterMs = await leastOfThree(2_000, async () => {
        thaw();
        if (name !== undefined) await inState(page, name, 'completed').waitFor();
        name = `april-${++run}.pdf`;
        thaw = pages.demo.freeze();
        await page.evaluate(watchWords);
        await choose(page, fileOf(name));
        await inState(page, name, 'offline').waitFor();
        return (await saidAfterMs(page))!;
      });
      expect(afterMs).toBeLessThan(2_000);
      expect(await row(page, name!).innerText()).toContain(
        'No connection to the server. The upload continues automatically',
      );
      expect(await said(page)).toBe(
        'There is no connection to the server. The upload continues automatically when it is back.',
      );
      thaw();
      await inState(page, name!, 'completed').waitFor();
    });

    it('reports it at once if the system knows, also for a file in parts, and continues once online', async () => {
      const { page } = await pages.opened();
      await page
        .locator('cubby-upload')
        .evaluate((element: any) => void (element.options = { singleUpToBytes: 0, chunkSizeBytes: 5 * 1_048_576 }));
      const letGo = pages.demo.hold('PUT');
      onTestFinished(letGo);
      pages.demo.parts.length = 0;
      await choose(page, (await generateFile('film.mp4', 11 * mebibyte)).path);
      await expect.poll(() => pages.demo.parts.length).toBe(3);
      await page.evaluate(watchWords);
      await page.context().setOffline(true);
      await inState(page, 'film.mp4', 'offline').waitFor();
      expect(await saidAfterMs(page)).toBeLessThan(2_000);
      letGo();
      await page.context().setOffline(false);
      await inState(page, 'film.mp4', 'completed').waitFor();
      await expect.poll(() => said(page)).toContain('film.mp4 is uploaded.');
    });

    it('does not report a slow server as unreachable', async () => {
      // On a busy machine the server may respond too late to the element's look at it.
      const falseReports = await leastOfThree(1, async () => {
        const { page } = await pages.opened();
        const letGo = pages.demo.hold();
        onTestFinished(letGo);
        let looks = 0;
        page.on('response', (response) => void (response.url().endsWith('/livez') && looks++));
        await page.evaluate(watchWords);
        await choose(page, [fileOf('april.pdf'), fileOf('may.pdf')]);
        await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(1);
        const wasSaid = (await saidAfterMs(page)) !== undefined;
        letGo();
        await inState(page, 'april.pdf', 'completed').waitFor();
        return Number(wasSaid);
      });
      expect(falseReports).toBe(0);
    });

    it('also waits for the address that provides the upload token', async () => {
      const { page } = await pages.opened({ 'token-url': '/my-token' });
      await page.locator('cubby-upload').evaluate((element: any) => void (element.credential = undefined));
      let isThere = false;
      const token = pages.demo.account.credential;
      await page.route('**/my-token', (route) => (isThere ? route.fulfill({ json: { token } }) : route.abort()));
      await choose(page, fileOf('april.pdf'));
      await inState(page, 'april.pdf', 'offline').waitFor();
      isThere = true;
      await inState(page, 'april.pdf', 'completed').waitFor();
    });
  },
);
