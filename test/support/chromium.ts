import { existsSync } from 'node:fs';

import { chromium, type Browser } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/**
 * Features of Chromium that the tests run without. The last `--disable-features` is the one that counts, so
 * Playwright's own are repeated.
 *
 * @see test/browser/launch-flags.test.ts, which fails when Playwright's list has grown
 */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  // Every window starts a second process for the lists below its address bar, and a third one for the next site.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
];

/** `--disable-…`: the browser itself must stay silent, or its own requests would stand in the network log. */
export const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures}`,
];

/**
 * Why browser tests cannot run on this machine; `undefined` when they can. Give it to `describe.skipIf`, and name it in
 * the suite's title, so that a skip says its reason.
 *
 * On Debian as root nothing hinders `apt-get install chromium`: there a missing browser is no reason to skip, and
 * `launchChromium()` fails the test instead.
 */
export const noChromium: string | undefined =
  existsSync(executablePath) || canInstall()
    ? undefined
    : `there is no ${executablePath} (Debian: apt-get install chromium)`;

function canInstall(): boolean {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0;
}

/**
 * Starts a headless Chromium that asks nobody but the page under test. The caller closes it.
 *
 * @throws when Chromium is not installed
 */
export async function launchChromium(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(
      `Browser tests need ${executablePath}. Run: apt-get update && apt-get install --yes --no-install-recommends chromium`,
    );
  }
  // Where no language is set, Chromium takes file names to be ASCII and gives others up.
  return chromium.launch({ executablePath, args, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
}

let shared: Promise<Browser> | undefined;

/**
 * The browser of this process, for the test files that follow each other in it: a launch costs as much as a dozen
 * pages. Its `close()` closes its pages with all that they keep, and the browser itself ends with the process.
 *
 * @throws when Chromium is not installed
 */
export async function sharedChromium(): Promise<Browser> {
  if (!(await shared?.catch(() => undefined))?.isConnected()) shared = launchChromium();
  const browser = await shared!;
  browser.close = async () => void (await Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}
