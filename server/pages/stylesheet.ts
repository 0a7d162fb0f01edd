import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** The stylesheet of all pages. The console takes its colors from the same tokens. */
export const stylesheet = `${read('tokens.css')}\n${read('pages.css')}`;

/** Changes with the stylesheet, so that browsers may cache it for good. */
export const stylesheetVersion = hash('sha256', stylesheet, 'hex').slice(0, 12);
