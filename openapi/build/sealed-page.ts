import { createHash } from 'node:crypto';

const svg = (content: string) => `data:image/svg+xml,${encodeURIComponent(content)}`;
const icon = svg(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5fbf"/>' +
    '<path d="M7 12h18v13H7zM7 7h18v3H7z" fill="#fff"/><path d="M12 15h8v3h-8z" fill="#1f5fbf"/></svg>',
);
const attribution = svg(
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="16"><text x="0" y="12" font-family="sans-serif" font-size="11" fill="#4a6a95">Redoc</text></svg>',
);

/**
 * Keeps Redoc's page from loading anything from elsewhere. Replaces its logos, which come from a CDN, and adds a policy
 * that allows only the page's own scripts, by hash.
 */
export function sealed(html: string): string {
  const page = html
    .replaceAll(/https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g, attribution)
    .replace('</title>', `</title>\n  <link rel="icon" href="${icon}">`);
  // Redoc escapes `</script` inside its scripts, so the next `</script` always ends the element.
  const hashes = [...page.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`,
  );
  const policy = [
    "default-src 'none'",
    `script-src ${[...new Set(hashes)].join(' ')}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return page.replace(
    /<meta charset="[^"]*"\s*\/?>/,
    (charset) => `${charset}\n  <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}
