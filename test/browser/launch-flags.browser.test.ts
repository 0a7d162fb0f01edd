import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';

import { args } from '#test/support/chromium.ts';

test('the features that Playwright turns off stay off', async () => {
  // A program that is not a browser. Playwright reports how it was called.
  const call = await chromium.launch({ executablePath: '/bin/false', args }).then(() => '', String);
  const lists = [...call.matchAll(/--disable-features=(\S+)/g)].map(([, names]) => names!.split(','));
  const [playwrights, ours] = [lists[0]!, lists.at(-1)!];
  expect(playwrights.length).toBeGreaterThan(5);
  expect(ours).not.toEqual(playwrights);
  expect(playwrights.filter((name) => !ours.includes(name))).toEqual([]);
});
