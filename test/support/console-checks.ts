import type { Page } from 'playwright-core';

/** Returns how much wider than its window a page is, in pixels. */
export async function overflowOf(page: Page): Promise<number> {
  return (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
}
