import type { Browser, FileChooser, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFailed, onTestFinished } from 'vitest';

import { sharedChromium } from '#test/support/chromium.ts';
import { recordPage } from '#test/support/page-record.ts';
import { someBytes } from '#test/support/files.ts';
import { startDemoServer, type DemoPage, type DemoServer } from './demo-page.ts';

/** The shared helpers for tests of the element. */
export interface ElementPages {
  readonly demo: DemoServer;
  /**
   * Returns the demo page in its initial state, with other attributes of its element, and for public files. `null`
   * removes an attribute. The tests of a file share the page. With options a test gets its own page and context, which
   * are closed when the test ends, and the page is as it comes.
   */
  opened(
    attributes?: Readonly<Record<string, string | null>>,
    options?: Parameters<Browser['newPage']>[0],
  ): Promise<DemoPage>;
}

export const fileOf = (name: string, sizeBytes = 20_000, mimeType = 'application/pdf') => ({
  name,
  mimeType,
  buffer: someBytes(sizeBytes),
});
export const row = (page: Page, name: string) => page.locator('cubby-upload li').filter({ hasText: name });
export const inState = (page: Page, name: string, state: string) =>
  row(page, name).and(page.locator(`[data-state=${state}]`));
export const choose = (page: Page, files: Parameters<Page['setInputFiles']>[1]) =>
  page.locator('cubby-upload input').setInputFiles(files);
export const said = (page: Page) => page.locator('cubby-upload [role=status]').innerText();
export const note = (page: Page) => page.locator('cubby-upload .note').innerText();
export const actionsOf = (page: Page, name: string) => row(page, name).getByRole('button').allInnerTexts();

/**
 * Waits for the next file chooser. Chromium's page process must learn first that choosers are intercepted, and it
 * handles keys and clicks before the messages of debuggers. A chooser that opens too early closes at once. So the page
 * must respond once before the key is pressed.
 */
export async function nextChooser(page: Page): Promise<{ readonly chooser: Promise<FileChooser> }> {
  const chooser = page.waitForEvent('filechooser', { timeout: 20_000 });
  chooser.catch(() => {});
  await page.evaluate(() => undefined);
  return { chooser };
}

/**
 * Gives files to the element, as a paste or drop does. The event goes to the element's part that matches `target`, or
 * else to the match in the page.
 */
export function bring(
  page: Page,
  event: 'paste' | 'drop',
  target: string,
  files: ReadonlyArray<readonly [string, string]>,
): Promise<boolean> {
  return page.evaluate(
    ([name, selector, given]) => {
      const { document, DataTransfer, DragEvent, ClipboardEvent, File } = globalThis as any;
      const transfer = new DataTransfer();
      for (const [file, type] of given) transfer.items.add(new File(['x'.repeat(600)], file, { type }));
      const shared = { bubbles: true, cancelable: true, composed: true };
      const made =
        name === 'drop'
          ? new DragEvent(name, { ...shared, dataTransfer: transfer })
          : new ClipboardEvent(name, { ...shared, clipboardData: transfer });
      const within = document.querySelector('cubby-upload').shadowRoot.querySelector(selector);
      return !(within ?? document.querySelector(selector)).dispatchEvent(made);
    },
    [event, target, files] as const,
  );
}

/** Returns the shared helpers. Call it in a `describe`. */
export function elementPages(): ElementPages {
  let demo: DemoServer | undefined;
  let browser: Browser | undefined;
  let shared: DemoPage | undefined;
  const own = async (options: Parameters<Browser['newPage']>[0]) => {
    const open = await demo!.open(browser!, options);
    onTestFinished(() => open.page.close());
    return open;
  };
  /** Replaces the page after a failed test, because its state is unknown. */
  const ofTheFile = async () => {
    if (shared) await demo!.renew(shared);
    else shared = await demo!.open(browser!);
    onTestFailed(async () => {
      await shared?.page.close();
      shared = undefined;
    });
    return shared;
  };
  beforeAll(async () => {
    demo = await startDemoServer();
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await demo?.server.stop();
  });
  return {
    get demo() {
      return demo!;
    },
    async opened(attributes = {}, options) {
      const open = await (options ? own(options) : ofTheFile());
      recordPage(open.page);
      // Names without a hash, which a private file has.
      const all = options ? attributes : { private: null, ...attributes };
      await open.page.locator('cubby-upload').evaluate((element: any, values) => {
        for (const [name, value] of Object.entries(values))
          value === null ? element.removeAttribute(name) : element.setAttribute(name, value);
      }, all);
      return open;
    },
  };
}
