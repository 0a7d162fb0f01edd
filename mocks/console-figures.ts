/**
 * `npm run console:figures`: loads every screen of the console with an empty cache and prints how fast and how sound it
 * is, in a usual run and over fast 3G with a processor four times as slow. `--json` prints one value for programs.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';

import { seriousFindings } from '#test/support/axe.ts';
import { launchChromium } from '#test/support/chromium.ts';
import { openConsole, signInWith } from '#test/support/console.ts';
import { sampleKey, storeSamples } from './console-samples.ts';
import { goTo, stops, type Stop } from './console-tour.ts';
import { startSandbox, type Sandbox } from './sandbox.ts';

interface Figures {
  readonly screen: string;
  /** First contentful paint, largest contentful paint and total blocking time, in milliseconds. */
  readonly fcp: number;
  readonly lcp: number;
  readonly tbt: number;
  readonly slowFcp: number;
  readonly slowLcp: number;
  readonly slowTbt: number;
  /** The larger layout shift of both runs. */
  readonly cls: number;
  readonly requests: number;
  readonly kilobytes: number;
  /** Serious findings of axe, and pictures that are sent larger than they are shown. */
  readonly axe: number;
  readonly largePictures: number;
  /** Errors and warnings in the log, violations of the policy, deprecated features. */
  readonly problems: readonly string[];
}

/** Collects what the browser reports from the beginning. */
const watch = `
  window.figures = { fcp: 0, lcp: 0, cls: 0, tasks: [], problems: [] };
  const on = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  on('paint', ({ name, startTime }) => name === 'first-contentful-paint' && (window.figures.fcp = startTime));
  on('largest-contentful-paint', ({ startTime }) => (window.figures.lcp = startTime));
  on('layout-shift', ({ hadRecentInput, value, sources }) => {
    if (hadRecentInput) return;
    window.figures.cls += value;
    const moved = () => sources.map(({ node }) => node?.outerHTML?.slice(0, 80)).join(' | ');
    if (value > 0.001) console.debug('shift', value, moved());
  });
  on('longtask', ({ startTime, duration }) => window.figures.tasks.push([startTime, duration]));
  const report = (...problems) => window.figures.problems.push(...problems);
  new ReportingObserver(
    (reports) => report(...reports.map(({ type, body }) => type + ': ' + body?.message)),
    { buffered: true },
  ).observe();
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    report(violatedDirective + ' ' + blockedURI));
`;

interface Seen {
  readonly fcp: number;
  readonly lcp: number;
  readonly cls: number;
  readonly tasks: ReadonlyArray<readonly [start: number, duration: number]>;
  readonly problems: readonly string[];
}

const sizes = `performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).reduce(
  (sum, { transferSize }) => ({ requests: sum.requests + 1, bytes: sum.bytes + transferSize }),
  { requests: 0, bytes: 0 })`;

const largePictures = `[...document.images].filter((one) =>
  one.naturalWidth > 0 && !one.currentSrc.endsWith('.svg') &&
  one.naturalWidth > 2 * one.clientWidth * devicePixelRatio).length`;

/** Fast 3G, as Lighthouse simulates it. */
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

async function visit(
  browser: Browser,
  sandbox: Sandbox,
  stop: Stop,
  { storageState, isSlow }: { readonly storageState: SignedIn; readonly isSlow: boolean },
) {
  const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
      if (message.text().startsWith('shift')) console.error(`${stop.name}: ${message.text()}`);
    });
    await page.addInitScript(watch);
    const tools = await context.newCDPSession(page);
    await tools.send('Network.enable');
    if (isSlow) {
      await tools.send('Network.emulateNetworkConditions', slowNetwork);
      await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    }
    await goTo(page, sandbox, stop);
    await page.waitForTimeout(300);
    const seen = (await page.evaluate('window.figures')) as Seen;
    // A task counts with its time above 50 ms, from the first paint on, as in Lighthouse.
    const tbt = seen.tasks.reduce(
      (sum, [start, duration]) => (start + duration > seen.fcp ? sum + Math.max(0, duration - 50) : sum),
      0,
    );
    return { ...seen, tbt, problems: [...problems, ...seen.problems], ...(await further(page, isSlow)) };
  } finally {
    await context.close();
  }
}

async function further(page: Page, isSlow: boolean) {
  if (isSlow) return { requests: 0, bytes: 0, axe: 0, large: 0 };
  const sent = (await page.evaluate(sizes)) as { requests: number; bytes: number };
  return {
    ...sent,
    large: (await page.evaluate(largePictures)) as number,
    axe: (await seriousFindings(page)).length,
  };
}

/** Signs in at a door and returns what the browser keeps. */
async function signedInAt(browser: Browser, sandbox: Sandbox, door: Stop['door']): Promise<SignedIn> {
  const { page, context } = await openConsole(browser, `${sandbox.urls[door].replace(/\/$/, '')}/console`);
  await signInWith(page, door === 'api' ? sampleKey(sandbox) : sandbox.operatorKey);
  await page.locator('main h1').waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

async function main(): Promise<void> {
  const ports = ['API', 'FILES', 'PUBLIC', 'S3', 'OPERATOR'].map((door) => [`CUBBY_${door}_PORT`, '0'] as const);
  const [sandbox, browser] = await Promise.all([startSandbox({ env: Object.fromEntries(ports) }), launchChromium()]);
  const rows: Figures[] = [];
  try {
    await storeSamples(sandbox);
    const states = {
      api: await signedInAt(browser, sandbox, 'api'),
      operator: await signedInAt(browser, sandbox, 'operator'),
    };
    // What a person opens by a click is no load of a page.
    for (const stop of stops.filter(({ act }) => !act)) {
      const storageState = states[stop.door];
      const usual = await visit(browser, sandbox, stop, { storageState, isSlow: false });
      const slow = await visit(browser, sandbox, stop, { storageState, isSlow: true });
      rows.push({
        screen: stop.name,
        fcp: Math.round(usual.fcp),
        lcp: Math.round(usual.lcp),
        tbt: Math.round(usual.tbt),
        slowFcp: Math.round(slow.fcp),
        slowLcp: Math.round(slow.lcp),
        slowTbt: Math.round(slow.tbt),
        cls: Number(Math.max(usual.cls, slow.cls).toFixed(3)),
        requests: usual.requests,
        kilobytes: Math.round(usual.bytes / 1000),
        axe: usual.axe,
        largePictures: usual.large,
        problems: [...new Set([...usual.problems, ...slow.problems])],
      });
    }
  } finally {
    await Promise.all([browser.close(), sandbox.stop()]);
  }
  if (process.argv.includes('--json')) console.log(JSON.stringify(rows, null, 2));
  else console.table(rows.map(({ problems, ...row }) => ({ ...row, problems: problems.length })));
  for (const { screen, problems } of rows) for (const problem of problems) console.error(`${screen}: ${problem}`);
}

await main();
