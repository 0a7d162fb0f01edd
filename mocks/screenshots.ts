import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { activationGallery, galleryIn, type Picture } from '#test/pages/gallery.ts';
import { serveGallery } from '#test/pages/gallery-server.ts';
import { launchChromium } from '#test/support/chromium.ts';
import { consoleScreenshots } from './console-screenshots.ts';

const folder = join(import.meta.dirname, '../dist/screenshots');

/** Returns every page in English, and in other languages only the pages that differ most. */
function pictures(): ReadonlyMap<string, Picture> {
  const others = (['pt', 'es'] as const).flatMap((language) =>
    Object.entries(galleryIn(language)).flatMap(([name, picture]) =>
      ['landing', 'password', 'not-found', 'too-many'].includes(name)
        ? [[`${name}.${language}`, picture] as const]
        : [],
    ),
  );
  return new Map<string, Picture>([
    ...Object.entries(galleryIn('en')),
    ...others,
    ...Object.entries(activationGallery()),
  ]);
}

/** Takes a screenshot of each page, light and dark, and of some in a narrow window. */
async function main(): Promise<void> {
  const pages = pictures();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const [server, browser] = await Promise.all([serveGallery((name) => pages.get(name)), launchChromium()]);
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [800, 320]) {
        const page = await browser.newPage({ colorScheme, viewport: { width, height: 640 }, deviceScaleFactor: 2 });
        for (const name of pages.keys()) {
          if (
            width === 320 &&
            !/^(landing|landing\.es|landing-awkward|landing-image|password-wrong|exhausted|bundle.*|request.*)$/.test(
              name,
            )
          )
            continue;
          await page.goto(server.base + name);
          await writeFile(
            join(folder, `${name}${width === 320 ? '.narrow' : ''}.${colorScheme}.png`),
            await page.screenshot({ fullPage: true }),
          );
        }
        await page.close();
      }
    }
    await consoleScreenshots(browser, folder);
  } finally {
    await Promise.all([browser.close(), server.stop()]);
  }
  console.log(`The screenshots are in ${folder}.`);
}

await main();
