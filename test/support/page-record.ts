import type { Page, Request } from 'playwright-core';
import { onTestFailed } from 'vitest';

/** The newest lines say most. */
const maxLines = 80;
/** A page that hangs must not keep the reason of a failure back. */
const patienceMs = 3000;

/**
 * Notes the requests, messages and errors of a page. If the test fails, they are added to the message of its error,
 * with what the page shows then, so that a failure which occurs once in many runs says what has happened.
 *
 * Call it in a test, before the page is opened.
 */
export function recordPage(page: Page): void {
  const lines: string[] = [];
  const beganAt = performance.now();
  const note = (text: string) => {
    lines.push(`${((performance.now() - beganAt) / 1000).toFixed(2)} s ${text}`);
    if (lines.length > maxLines) lines.shift();
  };
  page.on('request', (request) => isOfPage(request) && note(`→ ${nameOf(request)}`));
  page.on('response', (response) => {
    const request = response.request();
    if (isOfPage(request) || !response.ok()) note(`← ${response.status()} ${nameOf(request)}`);
  });
  page.on('requestfailed', (request) => note(`failed ${nameOf(request)}: ${request.failure()?.errorText}`));
  page.on('framenavigated', (frame) => note(`at ${pathOf(frame.url())}`));
  page.on('console', (message) => note(`console: ${message.text()}`));
  page.on('pageerror', (error) => note(`error: ${error}`));
  page.on('crash', () => note('crashed'));
  onTestFailed(async ({ task }) => {
    note('the test failed');
    const error = task.result?.errors?.[0];
    if (error) error.message += `\n\nThe page:\n${lines.join('\n')}\n\n${await shownBy(page)}\n`;
  });
}

/** Whether the page or its script has sent a request. Pictures and styles only say something if they fail. */
function isOfPage(request: Request): boolean {
  return ['document', 'fetch', 'xhr', 'eventsource', 'other'].includes(request.resourceType());
}

function nameOf(request: Request): string {
  const offset = request.headers()['upload-offset'];
  return `${request.method()} ${pathOf(request.url())}${offset === undefined ? '' : ` from ${offset}`}`;
}

/** Long tokens add nothing to a line. */
function pathOf(url: string): string {
  const path = url.replace(/^\w+:\/\/[^/]+/, '');
  return path.length > 120 ? `…${path.slice(-119)}` : path;
}

/** Returns what a page shows: its elements by role, and the states and progress that only its markup has. */
async function shownBy(page: Page): Promise<string> {
  const waited = new Promise<string>((resolve) =>
    setTimeout(resolve, patienceMs, 'The page does not respond.').unref(),
  );
  const roles = page.locator('body').ariaSnapshot({ timeout: patienceMs });
  const states = page.evaluate(() => {
    const { document } = globalThis as any;
    const marked = [...document.querySelectorAll('[data-state], progress')].map((element: any) =>
      element.dataset.state === undefined
        ? `progress ${element.value}`
        : `${element.dataset.state}: ${element.innerText.replaceAll(/\s+/g, ' ').slice(0, 200)}`,
    );
    return [`${document.readyState}, ${document.visibilityState}`, ...marked].join('\n');
  });
  const shown = Promise.all([states, roles]).then((parts) => parts.join('\n\n'));
  return Promise.race([shown.catch((error: unknown) => String(error)), waited]);
}
