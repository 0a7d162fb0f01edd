import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { noPackage, placeOf } from './packages.ts';

/** The script of axe, for `page.evaluate()`. Without its package the tests of pages are skipped. */
export const axe =
  noPackage('axe-core') === undefined ? await readFile(join(placeOf('axe-core'), 'axe.min.js'), 'utf8') : '';

/** Returns the serious findings of axe in a page. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // The policy of the page allows no script of others, so axe runs beside it.
  await page.evaluate(axe);
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: Array<{ id: string; impact: string; nodes: Array<{ html: string }> }>;
  };
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
