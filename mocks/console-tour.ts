import type { Page } from 'playwright-core';

import type { Sandbox } from './sandbox.ts';

/** A state of the console to look at. */
export interface Stop {
  readonly name: string;
  readonly door: 'api' | 'operator';
  /** The address after `/console`. */
  readonly path: string;
  /** Brings the page into the state. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const screen = (name: string, act?: Stop['act']): Stop => ({
  name: name.replace('/', '-'),
  door: 'api',
  path: `/${name}`,
  ...(act && { act }),
});
const operated = (name: string): Stop => ({ name: `operator-${name}`, door: 'operator', path: `/${name}` });
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

/** Every screen, and its most used parts. */
export const stops: readonly Stop[] = [
  screen('files'),
  { ...screen('files', press('logo.png')), name: 'files-details' },
  { ...screen('files', press(/Actions for backup/)), name: 'files-menu' },
  { ...screen('files/all/nothing'), name: 'files-empty' },
  // The browser keeps this choice, so it comes after what needs the list.
  { ...screen('files', press('As tiles')), name: 'files-tiles' },
  screen('trash'),
  screen('shares'),
  screen('requests'),
  screen('rules'),
  screen('s3'),
  screen('ai'),
  screen('ai/usage'),
  screen('ai/requests'),
  screen('deploys'),
  screen('events'),
  screen('events/latest'),
  screen('usage'),
  screen('activity'),
  screen('keys'),
  screen('settings'),
  { ...screen('keys', press(/^(New|Create).*key/)), name: 'keys-new' },
  { ...screen('nothing-here'), name: 'not-found' },
  operated('overview'),
  operated('accounts'),
  operated('jobs'),
  operated('backups'),
  operated('audit'),
  operated('settings'),
];

/** Goes to a stop and waits until it is complete. */
export async function goTo(page: Page, { urls }: Sandbox, { door, path, act }: Stop): Promise<void> {
  await page.goto(`${urls[door].replace(/\/$/, '')}/console${path}`);
  await page.locator('main h1').waitFor();
  await page.waitForLoadState('networkidle');
  await act?.(page);
  if (act) await page.waitForLoadState('networkidle');
}
