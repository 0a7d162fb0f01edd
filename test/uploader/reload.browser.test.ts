import { createHash } from 'node:crypto';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sharedChromium, noChromium } from '#test/support/chromium.ts';
import { startDemoServer, type DemoServer } from './demo-page.ts';
import { generateFile } from './generated-file.ts';

const mebibyte = 1_048_576;
const sizeBytes = (process.env.CUBBY_TEST_LONG === '1' ? 300 : 96) * mebibyte;
/** Parts of 8 MiB. */
const partCount = Math.ceil(sizeBytes / (8 * mebibyte));

describe.skipIf(noChromium)(`a tab that is reloaded${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
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

  const storedParts = async (): Promise<number[]> => {
    const { credential } = demo.account;
    const { uploads } = (await demo.server.send('/v1/objects/chunked/open', { credential })).json().response;
    expect(uploads).toHaveLength(1);
    const { parts } = (
      await demo.server.send(`/v1/objects/chunked?${new URLSearchParams({ upload: uploads[0].upload })}`, {
        credential,
      })
    ).json().response;
    return parts.map(({ part }: { readonly part: number }) => part);
  };

  it('continues its large file, and sends only the missing parts', async () => {
    const { path, sha256 } = await generateFile('film.mp4', sizeBytes);
    const { page, complaints } = await demo.open(browser);
    // The link to the file is read below.
    await page.getByLabel('Public').check();
    await page.evaluate(watchBar);
    await page.locator('cubby-upload input').setInputFiles(path);
    // The server accepts nothing more midway, so that the upload cannot complete before the reload.
    await expect.poll(() => demo.parts.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(partCount * 0.6);
    const letGo = demo.hold('PUT');
    // The bar moves in steps smaller than a part, because it counts bytes.
    const seen = await page.evaluate(() => [...(globalThis as any).seen] as number[]);
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.some((bytes) => bytes % (8 * mebibyte) !== 0)).toBe(true);

    await page.reload();
    letGo();
    // The server may still store a complete part, or end one that was cut.
    await expect.poll(() => demo.underway(), { timeout: 60_000 }).toBe(0);
    const stored = await storedParts();
    expect(stored.length).toBeGreaterThan(partCount / 4);
    expect(stored.length).toBeLessThan(partCount);
    demo.parts.length = 0;

    await page.getByLabel('API key or upload token').fill(demo.account.credential);
    await page.getByLabel('Public').check();
    await page.locator('cubby-upload input').setInputFiles(path);
    await page.locator('cubby-upload li[data-state=completed]').waitFor({ timeout: 60_000 });
    const all = Array.from({ length: partCount }, (_, index) => index + 1);
    expect([...demo.parts].sort((a, b) => a - b)).toEqual(all.filter((part) => !stored.includes(part)));

    const hash = createHash('sha256');
    const url = (await page.locator('cubby-upload').getByRole('link').getAttribute('href'))!;
    for await (const chunk of (await fetch(url)).body!) hash.update(chunk);
    expect(hash.digest('hex')).toBe(sha256);
    expect(await page.evaluate(recordsKept)).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

/** Runs in the page, and records the position of the bar at each frame in `seen`. */
function watchBar(): void {
  const page = globalThis as any;
  page.seen = new Set();
  const look = () => {
    const bar = page.document.querySelector('cubby-upload').shadowRoot.querySelector('li progress');
    if (bar) page.seen.add(bar.value);
    page.requestAnimationFrame(look);
  };
  look();
}

/** Runs in the page. Returns the number of kept records. */
async function recordsKept(): Promise<number> {
  const { indexedDB } = globalThis as any;
  const answerOf = (request: any) =>
    new Promise<any>(
      (resolve, reject) => ((request.onsuccess = () => resolve(request.result)), (request.onerror = reject)),
    );
  const database = await answerOf(indexedDB.open('cubby-uploader', 1));
  return answerOf(database.transaction('uploads').objectStore('uploads').count());
}
