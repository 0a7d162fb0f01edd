import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

import { seriousFindings } from './axe.ts';
import { openConsole, signInWith, type ConsolePage } from './console.ts';
import { recordPage } from './page-record.ts';
import type { TestServer } from './server.ts';

/** A page of the console in which somebody is signed in. */
export interface SignedInPage extends ConsolePage {
  /** Goes to an address within the console, as a person who types it. */
  go(path: string): Promise<void>;
  /** Checks that axe finds nothing serious, that nothing is wider than the window, and that there were no errors. */
  check(): Promise<void>;
}

/** Opens the console of a door and signs in. The page is closed when the test ends. */
export async function signedIn(
  { browser, server }: { readonly browser: Browser; readonly server: TestServer },
  { key, door = 'api', ...options }: Parameters<typeof openConsole>[2] & { key: string; door?: 'api' | 'operator' },
  path = '/settings',
): Promise<SignedInPage> {
  const base = server.running.urls[door].replace(/\/$/, '');
  const opened = await openConsole(browser, `${base}/console${path}`, options);
  onTestFinished(() => opened.context.close());
  recordPage(opened.page);
  const { page, problems, origins } = opened;
  await signInWith(page, key);
  return {
    ...opened,
    async go(to) {
      await page.goto(`${base}/console${to}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    async check() {
      expect(await seriousFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(problems).toEqual([]);
      expect([...origins]).toEqual([base]);
    },
  };
}

/** Moves the focus with the tab key until an element has it, as a person without a mouse does. */
export async function tabTo(page: Page, name: string | RegExp, role: 'button' | 'link' | 'menuitem' = 'button') {
  const wanted = page.getByRole(role, { name }).first();
  await wanted.waitFor();
  for (let step = 0; step < 80; step++) {
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The tab key does not reach ${String(name)}.`);
}
