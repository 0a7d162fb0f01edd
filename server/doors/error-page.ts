import type { IncomingMessage, ServerResponse } from 'node:http';

import { html } from '#server/pages/html.ts';
import { pageHeaders, renderPage } from '#server/pages/layout.ts';

/** Whether the client asks for a page, as browsers do; `*` alone is no wish for one. */
export function asksForHtml(req: IncomingMessage): boolean {
  return /\btext\/html\b|\bapplication\/xhtml\+xml\b/.test(req.headers.accept ?? '');
}

/** Sends a page that is written. */
export function sendPage(res: ServerResponse, status: number, page: string): void {
  const bytes = Buffer.from(page);
  res.statusCode = status;
  for (const [name, value] of Object.entries(pageHeaders)) res.setHeader(name, value);
  res.setHeader('Content-Length', bytes.length);
  res.end(bytes);
}

/** Sends the plainest of pages: what happened and what to do next; after a form, with the way back to it. */
export function sendErrorPage(res: ServerResponse, status: number, message: string): void {
  const [, ...segments] = (res.req.url ?? '/').split('?')[0]!.split('/');
  // With a dot before it, so that no segment reads as another scheme.
  const way = res.req.method === 'POST' ? html`<p><a href="./${segments.at(-1)!}">Back</a></p>` : html``;
  sendPage(res, status, renderPage({ title: 'That did not work', problem: message, body: way, up: '../'.repeat(Math.max(0, segments.length - 1)) }));
}
