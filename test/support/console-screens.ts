import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

import { axe } from './axe.ts';
import { openConsole, signInWith, type ConsolePage } from './console.ts';
import { recordPage } from './page-record.ts';
import type { TestServer } from './server.ts';

/** Returns the serious findings of axe. */
export async function findings(page: Page): Promise<string[]> {
  // The policy of the page allows no script of others, so axe runs beside it.
  await page.evaluate(axe);
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: Array<{ id: string; impact: string; nodes: Array<{ html: string }> }>;
  };
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/**
 * Opens a screen of the console and signs in. When the test ends, the page must have logged no error and sent no
 * request to another host.
 */
export async function openScreen(
  { browser, server }: { readonly browser: Browser; readonly server: TestServer },
  screen: string,
  key: string,
  options: Parameters<typeof openConsole>[2] = {},
): Promise<ConsolePage> {
  const base = server.running.urls.api.replace(/\/$/, '');
  const opened = await openConsole(browser, `${base}/console/${screen}`, options);
  onTestFinished(async () => {
    await opened.context.close();
    // Browsers log each refusal themselves, and the tests cause some.
    const refusal = /^Failed to load resource: the server responded with a status of 4/;
    expect(opened.problems.filter((problem) => !refusal.test(problem))).toEqual([]);
    expect([...opened.origins]).toEqual([base]);
  });
  recordPage(opened.page);
  await signInWith(opened.page, key);
  await opened.page.getByRole('heading', { level: 1 }).waitFor();
  return opened;
}

/** Presses tab until an element has the focus, as a person without a mouse does. */
export async function tabTo(page: Page, label: string | RegExp): Promise<void> {
  const nameOf = `(() => {
    const { activeElement: element } = document;
    return element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? '';
  })()`;
  for (let count = 0; count < 80; count++) {
    await page.keyboard.press('Tab');
    const name = String(await page.evaluate(nameOf)).trim();
    if (typeof label === 'string' ? name === label : label.test(name)) return;
  }
  throw new Error(`No press of tab reached ${label}.`);
}
