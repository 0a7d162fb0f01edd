import { chromium, type Browser } from 'playwright-core';

import { noPackage } from './packages.ts';
import { findProgram, noProgram } from './programs.ts';

/**
 * Features of Chromium that the tests run without. The last `--disable-features` is the one that counts, so
 * Playwright's own are repeated.
 *
 * @see test/browser/launch-flags.browser.test.ts, which fails when Playwright's list has grown
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
  // Otherwise every window starts a second process for the lists below its address bar, and a third one for the next
  // site.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
];

/** `--disable-…` arguments. They silence the browser, because its own requests would appear in the network log. */
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
 * The reason why browser tests cannot run on this machine, or `undefined` if they can. Pass it to `describe.skipIf`,
 * and put it in the suite's title, so that a skip says its reason.
 */
export const noChromium: string | undefined = noProgram('chromium') ?? noPackage('axe-core');

/**
 * Starts a headless Chromium that sends requests only to the page under test. The caller closes it.
 *
 * @throws if Chromium is not installed
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findProgram('chromium');
  if (executablePath === undefined) throw new Error(`Browser tests need Chromium, but ${noProgram('chromium')}.`);
  // Without a language setting, Chromium assumes ASCII file names and drops others.
  return chromium.launch({ executablePath, args, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
}

let shared: Promise<Browser> | undefined;

/**
 * Returns the browser of this process, for all test files that run in it, because a launch costs as much as a dozen
 * pages. Its `close()` closes its pages with all that they keep. The browser itself ends with the process.
 *
 * @throws if Chromium is not installed
 */
export async function sharedChromium(): Promise<Browser> {
  if (!(await shared?.catch(() => undefined))?.isConnected()) shared = launchChromium();
  const browser = await shared!;
  browser.close = async () => void (await Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}
