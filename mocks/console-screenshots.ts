import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { openConsole, signInWith } from '#test/support/console.ts';
import { sampleKey, storeSamples } from './console-samples.ts';
import { goTo, stops } from './console-tour.ts';
import { startSandbox } from './sandbox.ts';

const ports = ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door) => [`CUBBY_${door}_PORT`, '0'] as const);

/** The looks of each screen: light and dark, in a wide and a narrow window, and from right to left. */
const looks = (['light', 'dark'] as const).flatMap((colorScheme) => [
  ...[1440, 390].map((width) => ({ colorScheme, width, locale: 'en-GB' })),
  ...(colorScheme === 'light' ? [1440, 390].map((width) => ({ colorScheme, width, locale: 'ar' })) : []),
]);

/** Takes pictures of every screen of the console. */
export async function consoleScreenshots(browser: Browser, folder: string): Promise<void> {
  const sandbox = await startSandbox({ env: Object.fromEntries(ports) });
  try {
    await storeSamples(sandbox);
    for (const { colorScheme, width, locale } of looks) {
      const ending = `${width === 390 ? '.narrow' : ''}${locale === 'ar' ? '.ar' : ''}.${colorScheme}.png`;
      for (const door of ['api', 'operator'] as const) {
        const address = `${sandbox.urls[door].replace(/\/$/, '')}/console`;
        const { page, context } = await openConsole(browser, address, { width, colorScheme, locale });
        const take = (name: string) => page.screenshot({ path: join(folder, `console-${name}${ending}`) });
        await page.locator('h1').waitFor();
        await take(door === 'api' ? 'sign-in' : 'operator-sign-in');
        if (locale === 'ar')
          await page.locator('input[name=key]').fill(door === 'api' ? sampleKey(sandbox) : sandbox.operatorKey);
        if (locale === 'ar') await page.keyboard.press('Enter');
        else await signInWith(page, door === 'api' ? sampleKey(sandbox) : sandbox.operatorKey);
        await page.locator('.frame').waitFor();
        // The buttons of an act have English names.
        for (const stop of stops.filter((one) => one.door === door && !(locale === 'ar' && one.act))) {
          await goTo(page, sandbox, stop);
          await take(stop.name);
        }
        await context.close();
      }
    }
  } finally {
    await sandbox.stop();
  }
}
