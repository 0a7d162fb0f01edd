import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { Page } from 'playwright-core';

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

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
