import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { noChromium, sharedChromium } from '#test/support/chromium.ts';
import { openConsole, signInWith } from '#test/support/console.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

/** A million in the long form. Also 200,000 rows are higher than an element may be. */
const total = process.env.CUBBY_TEST_LONG === '1' ? 1_000_000 : 200_000;
const pageSize = 1000;

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), sharedChromium()]);
});
afterAll(async () => {
  await Promise.all([server?.stop(), browser?.close()]);
});

/**
 * Answers lists of very many files in place of the server, within the page: answers of 200 KB each take long
 * from outside of it. `window.asked` has the pages that were asked for.
 */
const answerMany = `
  window.asked = [];
  const send = window.fetch;
  window.fetch = (input, init) => {
    const url = new URL(input.url ?? input, location.href);
    if (url.pathname !== '/v1/objects') return send(input, init);
    const from = Number(url.searchParams.get('cursor') ?? 0);
    window.asked.push(from / ${pageSize});
    const objects = Array.from({ length: ${pageSize} }, (_, step) => ({
      id: 'pub/204815162342108999/file-' + String(from + step).padStart(7, '0') + '.png',
      size: 4000 + step,
      created_at: '2026-04-21T09:30:00.000Z',
      private: false,
      url: 'https://public.cubby.invalid/x.png',
      etag: 'e4d909c290d0fb1ca068ffaddf22cbd0',
    }));
    const next = from + ${pageSize};
    const response = { objects, folders: [], ...(next < ${total} && { continuationToken: String(next) }) };
    return Promise.resolve(Response.json({ status: 'success', response }));
  };
`;

const heap = 'performance.memory.usedJSHeapSize';
/** Scrolls to the end of what is known, again and again, until the last page is there. */
const toEnd = `new Promise((resolve) => {
  const step = () => {
    const frame = document.querySelector('.virtual');
    frame.scrollTop = frame.scrollHeight;
    if (document.querySelector('.count').textContent.startsWith('${total.toLocaleString('en')} entries')) resolve();
    else requestAnimationFrame(step);
  };
  step();
})`;

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

describe.skipIf(noChromium)(`very many files${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  it('scroll to the last one and back, with few rows in the document and in memory', async () => {
    const { page, context, problems } = await openConsole(
      browser,
      `${server.running.urls.api.replace(/\/$/, '')}/console`,
    );
    onTestFinished(() => context.close());
    await page.addInitScript(answerMany);
    await page.reload();
    await signInWith(page, (await server.account()).credential);
    await page.locator('#row-0').waitFor();
    const fps = [];
    for (let run = 0; run < 3; run++) fps.push((await page.evaluate(pictures)) as number);
    // Every step shows the end of what is known, which asks for the next page.
    await page.evaluate(toEnd);
    await page.getByText(`file-${String(total - 1).padStart(7, '0')}.png`).waitFor();
    expect(await page.getByText(`${total.toLocaleString('en')} entries`, { exact: true }).count()).toBe(1);
    expect((await page.evaluate(heap)) as number).toBeLessThan(150e6);
    expect(await page.evaluate(`document.querySelectorAll('.file-row').length`)).toBeLessThan(60);
    await page.evaluate('window.asked.length = 0');
    await page.evaluate(`document.querySelector('.virtual').scrollTop = 0`);
    await page.getByText('file-0000000.png').waitFor();
    // The first page was dropped, and is asked for again by its cursor.
    expect(await page.evaluate('window.asked')).toContain(0);
    await page.evaluate(
      `{ const frame = document.querySelector('.virtual'); frame.scrollTop = frame.scrollHeight / 2; }`,
    );
    await expect
      .poll(() => page.locator('.file-row').nth(10).textContent())
      .toMatch(new RegExp(`file-0*(${total / 2 / 10_000 - 1}|${total / 2 / 10_000})`));
    expect(problems).toEqual([]);
    console.log(
      `${Math.max(...fps).toFixed(0)} pictures a second, ${(((await page.evaluate(heap)) as number) / 1e6).toFixed(0)} MB`,
    );
    expect(Math.max(...fps)).toBeGreaterThan(process.env.CUBBY_TEST_LONG === '1' ? 55 : 30);
  }, 300_000);
});
