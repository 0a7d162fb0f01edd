import type { ConsoleMessage, Frame, Page, Request, Response } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** The newest lines say most. */
const maxLines = 80;
/** Enough for what matters of a long list. */
const maxShown = 8000;
/** A page that hangs must not keep the reason of a failure back. */
const patienceMs = 3000;

/**
 * Notes the requests, messages and errors of a page. If the test fails, they are added to the message of its error,
 * with what the page shows then, so that a failure which occurs once in many runs says what has happened.
 *
 * Call it in a test, after the call that closes the page when the test ends: the last of these comes first.
 */
export function recordPage(page: Page): void {
  const lines: string[] = [];
  const beganAt = performance.now();
  const note = (text: string) => {
    lines.push(`${((performance.now() - beganAt) / 1000).toFixed(2)} s ${text}`);
    if (lines.length > maxLines) lines.shift();
  };
  const stop = watch(page, note);
  onTestFinished(async ({ task }) => {
    stop();
    const error = task.result?.state === 'fail' && task.result.errors?.[0];
    if (!error) return;
    note('the test failed');
    error.message += `\n\nThe page:\n${lines.join('\n')}\n\n${await shownBy(page)}\n`;
  });
}

/** Tells what a page does. It listens to no dialogs, because Playwright then leaves them open. */
function watch(page: Page, note: (text: string) => void): () => void {
  const listeners = {
    request: (request: Request) => void (isOfPage(request) && note(`→ ${nameOf(request)}`)),
    response(response: Response) {
      const request = response.request();
      if (isOfPage(request) || !response.ok()) note(`← ${response.status()} ${nameOf(request)}`);
    },
    requestfailed: (request: Request) => note(`failed ${nameOf(request)}: ${request.failure()?.errorText}`),
    framenavigated: (frame: Frame) => note(`at ${pathOf(frame.url())}`),
    console: (message: ConsoleMessage) => note(`console: ${message.text()}`),
    pageerror: (error: Error) => note(`error: ${error}`),
    crash: () => note('crashed'),
  };
  const names = Object.keys(listeners) as Array<keyof typeof listeners>;
  for (const name of names) page.on(name as 'request', listeners[name] as (request: Request) => void);
  return () => {
    for (const name of names) page.off(name as 'request', listeners[name] as (request: Request) => void);
  };
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
  const shown = Promise.all([states, roles]).then((parts) => parts.join('\n\n').slice(0, maxShown));
  return Promise.race([shown.catch((error: unknown) => String(error)), waited]);
}
