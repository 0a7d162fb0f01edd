import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { openConsole, signInWith } from '#test/support/console.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const million = 1_000_000;
const pageSize = 1000;

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), sharedChromium()]);
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});

/** Answers lists of a million files in place of the server, and notes the pages that were asked for. */
async function answerMillion(page: Page): Promise<number[]> {
  const asked: number[] = [];
  await page.route('**/v1/objects?*', async (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    asked.push(from / pageSize);
    const objects = Array.from({ length: pageSize }, (_, step) => ({
      id: `pub/204815162342108999/file-${String(from + step).padStart(7, '0')}.png`,
      size: 4000 + step,
      created_at: '2026-04-21T09:30:00.000Z',
      private: false,
      url: 'https://public.cubby.invalid/x.png',
      etag: 'e4d909c290d0fb1ca068ffaddf22cbd0',
    }));
    const next = from + pageSize;
    const response = { objects, folders: [], ...(next < million && { continuationToken: String(next) }) };
    await route.fulfill({ json: { status: 'success', response } });
  });
  return asked;
}

const heap = 'performance.memory.usedJSHeapSize';
const atEnd = `{ const frame = document.querySelector('.virtual'); frame.scrollTop = frame.scrollHeight; }`;

/** Scrolls for two seconds and returns the pictures in each of them. */
const pictures = `new Promise((resolve) => {
  const frame = document.querySelector('.virtual');
  const begun = performance.now();
  let count = 0;
  const step = (now) => {
    count++;
    frame.scrollTop += 60;
    if (now - begun < 2000) requestAnimationFrame(step);
    else resolve((count * 1000) / (now - begun));
  };
  requestAnimationFrame(step);
})`;

describe.skipIf(noChromium)(`a million files${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('scroll to the last one and back, with few rows in the document and in memory', async () => {
    const { page, context, problems } = await openConsole(
      browser,
      `${server.running.urls.api.replace(/\/$/, '')}/console`,
    );
    onTestFinished(() => context.close());
    const asked = await answerMillion(page);
    await signInWith(page, (await server.account()).credential);
    await page.locator('#row-0').waitFor();
    const fps = [];
    for (let run = 0; run < 3; run++) fps.push((await page.evaluate(pictures)) as number);
    const count = () => page.evaluate(`Number(document.querySelector('.count').textContent.replace(/\\D/g, ''))`);
    // Every step shows the end of what is known, which asks for the next page.
    while (((await count()) as number) < million) await page.evaluate(atEnd);
    await page.evaluate(atEnd);
    await page.getByText('file-0999999.png').waitFor();
    expect(await page.getByText('1,000,000 entries').count()).toBe(1);
    expect((await page.evaluate(heap)) as number).toBeLessThan(150e6);
    expect(await page.evaluate(`document.querySelectorAll('.file-row').length`)).toBeLessThan(60);
    const before = asked.length;
    await page.evaluate(`document.querySelector('.virtual').scrollTop = 0`);
    await page.getByText('file-0000000.png').waitFor();
    // The first page was dropped, and is asked for again by its cursor.
    expect(asked.slice(before)).toContain(0);
    await page.evaluate(
      `{ const frame = document.querySelector('.virtual'); frame.scrollTop = frame.scrollHeight / 2; }`,
    );
    await expect.poll(() => page.locator('.file-row').nth(10).textContent()).toMatch(/file-0(49|50)/);
    expect(problems).toEqual([]);
    console.log(
      `${Math.max(...fps).toFixed(0)} pictures a second, ${(((await page.evaluate(heap)) as number) / 1e6).toFixed(0)} MB`,
    );
    expect(Math.max(...fps)).toBeGreaterThan(process.env.CUBBY_TEST_LONG === '1' ? 55 : 30);
  });
});
