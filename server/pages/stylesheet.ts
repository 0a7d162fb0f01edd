import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The stylesheet of all pages. */
export const stylesheet = readFileSync(new URL('pages.css', import.meta.url), 'utf8');

/** Changes with the stylesheet, so that browsers may cache it for good. */
export const stylesheetVersion = createHash('sha256').update(stylesheet).digest('hex').slice(0, 12);
