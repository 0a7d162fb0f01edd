import type { IncomingMessage, ServerResponse } from 'node:http';

/** Whether the client asks for a page, as browsers do; `*` alone is no wish for one. */
export function asksForHtml(req: IncomingMessage): boolean {
  return /\btext\/html\b|\bapplication\/xhtml\+xml\b/.test(req.headers.accept ?? '');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Sends the plainest of pages: what happened and what to do next. */
export function sendErrorPage(res: ServerResponse, status: number, message: string): void {
  const page = Buffer.from(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <title>Cubby</title>
  </head>
  <body>
    <h1>Cubby</h1>
    <p role="alert">${escapeHtml(message)}</p>
  </body>
</html>
`);
  res.statusCode = status;
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  res.setHeader('Content-Length', page.length);
  res.end(page);
}
