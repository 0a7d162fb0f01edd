import type { ServerResponse } from 'node:http';

import type { Refusal } from '#server/domain/refusal.ts';
import { failurePage } from '#server/pages/failure.ts';
import { pageHeaders } from '#server/pages/layout.ts';

/** Sends a page that is written. */
export function sendPage(
  res: ServerResponse,
  status: number,
  page: string,
  headers: Readonly<Record<string, string>> = pageHeaders,
): void {
  const bytes = Buffer.from(page);
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader('Content-Length', bytes.length);
  res.end(bytes);
}

/**
 * Sends the plainest of pages: what happened and what to do next, in the visitor's language; after a form, with the way
 * back to it.
 */
export function sendErrorPage(
  res: ServerResponse,
  status: number,
  { code, words, retryAfterSeconds }: Refusal,
  message: string,
): void {
  const [, ...segments] = (res.req.url ?? '/').split('?')[0]!.split('/');
  const { page, headers } = failurePage({
    acceptLanguage: res.req.headers['accept-language'],
    code,
    message,
    isSpecific: words !== undefined,
    retryAfterSeconds,
    back: res.req.method === 'POST' ? segments.at(-1)! : undefined,
    up: '../'.repeat(Math.max(0, segments.length - 1)),
  });
  sendPage(res, status, page, headers);
}
