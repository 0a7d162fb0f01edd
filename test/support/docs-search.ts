import type { Locator, Page } from 'playwright-core';

/** Opens the search of a page of the documentation. @returns its field; @throws after 30 seconds without it */
export async function openSearch(page: Page): Promise<Locator> {
  // A box that closes can still be there beside the new one, which comes last.
  const field = page.locator('.VPLocalSearchBox input').last();
  // A page hears keys only once its scripts run, which can be a while after it has loaded.
  for (let tries = 1; ; tries += 1) {
    await page.keyboard.press('Control+k');
    try {
      await field.waitFor({ timeout: 2000 });
      return field;
    } catch (error) {
      if (tries === 15) throw error;
    }
  }
}
