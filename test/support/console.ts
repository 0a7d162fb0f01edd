import type { Browser, BrowserContext, Page } from 'playwright-core';

/** A page of the console, and what went wrong in it. */
export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Errors of scripts, lines of the console's log that are errors or warnings, violations of the policy, and dialogs
   * that open with the focus on their red button.
   */
  readonly problems: string[];
  /** The origins that it sent requests to. */
  readonly origins: Set<string>;
}

interface Window {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
}

/** Opens a page of the console in a browser of its own. The caller closes the context. */
export async function openConsole(
  browser: Browser,
  address: string,
  { width = 1440, colorScheme = 'light', locale = 'en-GB' }: Window = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme,
    locale,
    timezoneId: 'UTC',
    hasTouch: width < 600,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const origins = new Set<string>();
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    // The address says which of many requests failed.
    if (['error', 'warning'].includes(message.type())) problems.push(`${message.text()} ${message.location().url}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin);
  });
  await page.addInitScript(`{
    const { showModal } = HTMLDialogElement.prototype;
    HTMLDialogElement.prototype.showModal = function () {
      showModal.call(this);
      // When the effect that opens the dialog has chosen the focus, and before any key.
      queueMicrotask(() => {
        const { activeElement } = document;
        if (activeElement?.matches('dialog .danger'))
          console.error('The dialog opens with the focus on its red button: ' + activeElement.textContent);
      });
    };
  }`);
  await page.goto(address);
  return { page, context, problems, origins };
}

/** Signs in with a key, as a person does. */
export async function signInWith(page: Page, key: string): Promise<void> {
  await page.getByLabel(/key$/i).fill(key);
  await page.keyboard.press('Enter');
  await page.locator('.frame').waitFor();
}
