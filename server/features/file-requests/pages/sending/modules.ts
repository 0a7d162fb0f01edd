import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const names = ['page.js', 'dropped.js', 'memory.js', 'queue.js', 'request.js', 'transfer.js', 'view.js'] as const;

/** The modules of the script that sends files. They run in browsers. */
export const sendingModules: ReadonlyArray<{ readonly name: string; readonly source: string }> = names.map((name) => ({
  name,
  source: readFileSync(new URL(name, import.meta.url), 'utf8'),
}));

const version = hash('sha256', sendingModules.map(({ source }) => source).join('\0'), 'hex').slice(0, 12);

/**
 * The path of the modules. It changes with them, and they import each other by relative addresses, so browsers may
 * cache all of them for good.
 */
export const sendingPath = `sending/${version}`;
