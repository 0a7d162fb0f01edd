import { createHash } from 'node:crypto';

/** The hosts that "Try it" may call: this server's doors, and a mock or sandbox on the reader's own machine. */
const called = [
  "'self'",
  'http://localhost:7400',
  'http://localhost:7401',
  'http://localhost:7402',
  'http://localhost:*',
  'http://127.0.0.1:*',
].join(' ');

/**
 * Adds a policy to a page: only files of the site and the page's own inline scripts, by hash, may run, and nothing is
 * loaded from elsewhere. The server replaces the addresses of the doors in it by its own.
 */
export function withPolicy(html: string): string {
  const hashes = [...html.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs)]
    .filter(([, attributes]) => !/\bsrc=/.test(attributes!))
    .map(([, , text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`);
  const policy = [
    "default-src 'none'",
    `script-src ${["'self'", ...new Set(hashes)].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src ${called}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html.replace(
    /<meta charset="[^"]*"\s*\/?>/,
    (charset) => `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}
