import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Response } from 'express';

/** `building`: a process beside the server is making it. */
export type SiteState = 'built' | 'building' | 'missing';

/** Packages have the console. In a clone this works with and without development packages. */
export const buildConsoleCommand = 'npm install --include=dev && npm run console';

/**
 * Returns whether a site is in its folder. `npm start` builds sites beside the server. Meanwhile the file
 * `<folder>.building` has the id of the process that waits for it.
 */
export function siteState(folder: string): SiteState {
  if (existsSync(join(folder, 'index.html'))) return 'built';
  try {
    process.kill(Number(readFileSync(`${folder}.building`, 'utf8')), 0);
    return 'building';
  } catch {
    return 'missing';
  }
}

/**
 * Sends a page in the place of a site that is not built. The page loads anew by itself, so that the site appears when
 * it is there.
 *
 * @param name such as "The console"
 * @param command makes the site
 */
export function sendNotBuilt(res: Response, name: string, command: string, folder: string): void {
  const isComing = siteState(folder) === 'building';
  const text = isComing
    ? `${name} is being built. This page shows it as soon as it is there, within a minute. The server works meanwhile.`
    : `${name} is not built. Run this in the folder of the server, which may go on running: <code>${command}</code>`;
  if (isComing) res.set('Retry-After', '2');
  res
    .status(isComing ? 503 : 404)
    .set('Cache-Control', 'no-store')
    .type('html').send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="${isComing ? 2 : 10}">
<meta name="viewport" content="width=device-width">
<title>${name} is not there yet</title>
<p>${text}</p>
</html>
`);
}
