import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { EdgeErrors } from '#generated/types.ts';
import { builtInAppId } from '#server/features/apps/app.ts';
import { createApp } from '#server/features/apps/create-app.ts';
import { networkErrors } from '#server/features/edge-errors/network-errors.ts';
import { Tally } from '#server/features/edge-errors/tally.ts';
import { MemoryBreakdownCache } from '#server/features/edge-errors/stores/memory/breakdown-cache.ts';
import { cubbyHere } from '#test/cli/cubby.ts';
import { naiveBreakdown, naiveTimeseries, type SampleError } from '#test/support/edge-errors.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

const start = Date.parse('2026-04-21T09:30:00Z');
const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
});
afterAll(() => server.stop());

let apps = 0;

async function newApp(owner = account, createdAt?: number): Promise<string> {
  if (createdAt === undefined)
    return (await createApp(server.running.app.stores, { accountId: owner.id, name: 'web' }))!.id;
  const id = `app_made${++apps}`;
  await server.running.app.stores.metadata.atomically((tx) =>
    tx.apps.add({ id, accountId: owner.id, name: 'web', createdAt, isBuiltIn: false }),
  );
  return id;
}

async function store(appId: string, errors: readonly SampleError[]): Promise<void> {
  const tally = new Tally();
  for (const error of errors) tally.add(error);
  await server.running.app.stores.metadata.atomically((tx) => tx.edgeErrors.add(appId, tally.counts()));
}

interface Asked {
  readonly start: number;
  readonly end: number;
  readonly include4xx?: string;
  readonly credential?: string;
}

async function ask(
  appId: string,
  { start: from, end, include4xx, credential = account.credential }: Asked,
): Promise<EdgeErrors> {
  const iso = (at: number) => new Date(at).toISOString();
  const query = `start=${iso(from)}&end=${iso(end)}${include4xx === undefined ? '' : `&include_4xx=${include4xx}`}`;
  const answer = await server.send(`/v2/apps/${appId}/network/errors?${query}`, { credential });
  expect(answer.status, answer.body.toString()).toBe(200);
  return answer.json().response;
}

const error = (change: Partial<SampleError> = {}): SampleError => ({
  at: start,
  status: 502,
  method: 'GET',
  path: '/checkout',
  ...change,
});

describe('getNetworkErrors()', () => {
  it('is empty without errors, and when its window ends before the application was created', async () => {
    const appId = await newApp();
    const nothing = {
      summary: { total: 0, by_class: { '4xx': 0, '5xx': 0 } },
      by_status: [],
      timeseries: [],
      top_paths: [],
      by_method: [],
    };
    expect(await ask(appId, { start, end: start + hourMs })).toEqual(nothing);
    await store(appId, [error({ at: start - minuteMs }), error()]);
    expect(await ask(appId, { start: start - hourMs, end: server.clock.now() })).toEqual(nothing);
    expect((await ask(appId, { start: start - hourMs, end: server.clock.now() + 1 })).summary.total).toBe(2);
  });

  it('counts 4xx only on request', async () => {
    const appId = await newApp();
    await store(appId, [
      error(),
      error({ status: 404 }),
      error({ status: 599, method: 'POST' }),
      error({ status: 400 }),
    ]);
    const window = { start, end: start + hourMs };
    for (const include4xx of [undefined, 'false', '0']) {
      expect((await ask(appId, { ...window, ...(include4xx && { include4xx }) })).summary).toEqual({
        total: 2,
        by_class: { '4xx': 0, '5xx': 2 },
      });
    }
    for (const include4xx of ['true', '1']) {
      const all = await ask(appId, { ...window, include4xx });
      expect(all.summary).toEqual({ total: 4, by_class: { '4xx': 2, '5xx': 2 } });
      expect(all.by_status.map(({ status }) => status)).toEqual([400, 404, 502, 599]);
    }
  });

  it('includes its start and excludes its end, to the second', async () => {
    const appId = await newApp();
    await store(appId, [error({ at: start }), error({ at: start + 10_999 })]);
    const total = async (from: number, end: number) => (await ask(appId, { start: from, end })).summary.total;
    expect(await total(start, start + 10_000)).toBe(1);
    expect(await total(start, start + 10_001)).toBe(2);
    expect(await total(start + 1, start + 10_000)).toBe(0);
    expect(await total(start + 10_000, start + 11_000)).toBe(1);
  });

  it.each([
    ['an hour', hourMs, minuteMs],
    ['two hours', 2 * hourMs, minuteMs],
    ['six hours', 6 * hourMs, 5 * minuteMs],
    ['a day', dayMs, 15 * minuteMs],
    ['a week', 7 * dayMs, hourMs],
    ['two weeks', 14 * dayMs, 6 * hourMs],
    ['28 days', 28 * dayMs, dayMs],
    ['31 days', 31 * dayMs, dayMs],
    ['299 days', 299 * dayMs, dayMs],
    ['300 days', 300 * dayMs, 7 * dayMs],
    ['ten years', 3652 * dayMs, 14 * dayMs],
    ['8,000 years', 8000 * 365 * dayMs, 2048 * 7 * dayMs],
  ])('divides %s into at most 300 buckets on a grid in UTC, without gaps', async (_, lengthMs, widthMs) => {
    const appId = await newApp();
    await store(appId, [error({ at: start + 7000 })]);
    for (const from of [start, start + 7000 - Math.min(lengthMs - 1000, start)]) {
      const { timeseries } = await ask(appId, {
        start: from,
        end: Math.min(from + lengthMs, Date.parse('9999-12-31T23:59:59Z')),
      });
      const dates = timeseries.map(({ date }) => Date.parse(date));
      expect(dates.length).toBeLessThanOrEqual(300);
      expect(dates[0]).toBeLessThanOrEqual(Math.max(0, from));
      expect(dates[0]! + widthMs).toBeGreaterThan(from);
      expect(dates.at(-1)! + widthMs).toBeGreaterThanOrEqual(
        Math.min(from + lengthMs, Date.parse('9999-12-31T23:59:59Z')),
      );
      if (dates.length > 1)
        expect(new Set(dates.slice(1).map((date, index) => date - dates[index]!))).toEqual(new Set([widthMs]));
      const origin = widthMs > dayMs ? Date.parse('1970-01-05T00:00:00Z') : 0;
      expect(Math.abs((dates[0]! - origin) % widthMs)).toBe(0);
      expect(timeseries.reduce((sum, { total }) => sum + total, 0)).toBe(1);
    }
  });

  it.each([
    ['the year 1', '0001-01-01T00:00:00Z', '1970-01-01T02:00:00Z', minuteMs],
    ['1969', '1969-12-31T00:00:00Z', '1970-01-02T00:00:00Z', 15 * minuteMs],
  ])('divides a window that begins in %s as if it began in 1970', async (_, from, end, widthMs) => {
    const appId = await newApp(account, 0);
    await store(appId, [error({ at: 5000 })]);
    const { timeseries } = await ask(appId, { start: Date.parse(from), end: Date.parse(end) });
    expect(timeseries.map(({ date }) => Date.parse(date))).toEqual(
      Array.from({ length: Date.parse(end) / widthMs }, (__, index) => index * widthMs),
    );
    expect(timeseries[0]!.total).toBe(1);
  });

  it('has consistent parts when an error arrives while they are read', async () => {
    const appId = await newApp();
    await store(appId, [error()]);
    const { metadata } = server.running.app.stores;
    let isFirst = true;
    const addByPath: typeof metadata.read.edgeErrors.addByPath = async (...args) => {
      if (isFirst) await store(appId, [error()]);
      isFirst = false;
      return metadata.read.edgeErrors.addByPath(...args);
    };
    const deps = {
      metadata: { read: { ...metadata.read, edgeErrors: { ...metadata.read.edgeErrors, addByPath } } },
      cache: new MemoryBreakdownCache(),
    };
    const question = {
      accountId: account.id,
      appId,
      window: { start, end: server.clock.now() + 1 },
      includeClientErrors: false,
      onCacheMiss: async () => {},
    };
    for (let asked = 0; asked < 2; asked++) {
      const { total, topPaths } = await networkErrors(deps, question);
      expect([total, topPaths.map((path) => path.total)]).toEqual([2, [2]]);
    }
  });

  it('shows the 20 paths with the most errors, by method', async () => {
    const appId = await newApp();
    const errors = Array.from({ length: 25 }, (_, index) =>
      Array.from({ length: index + 1 }, () =>
        error({ path: `/p${'x'.repeat(index)}`, method: index % 2 ? 'GET' : 'POST' }),
      ),
    ).flat();
    await store(appId, [...errors, error({ path: `/p${'x'.repeat(24)}`, method: 'DELETE' })]);
    const { top_paths: paths } = await ask(appId, { start, end: start + hourMs });
    expect(paths.map(({ total }) => total)).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index));
    expect(paths[0]).toEqual({
      path: `/p${'x'.repeat(24)}`,
      method: 'POST',
      total: 25,
      by_status: [{ status: 502, requests: 25 }],
    });
  });

  it('returns the same as counting one by one, for any window', async () => {
    const span = 40 * dayMs;
    const sample = fc.record({
      at: fc.integer({ min: start, max: start + span }),
      status: fc.constantFrom(400, 404, 429, 499, 500, 502, 599),
      method: fc.constantFrom('GET', 'POST', 'HEAD'),
      path: fc.constantFrom('/', '/a', '/b/c', '/d'),
    });
    // Some errors are close together, so that windows cut through minutes and hours with several.
    const near = fc
      .tuple(sample, fc.array(fc.integer({ min: -5000, max: 5000 }), { maxLength: 5 }))
      .map(([one, offsets]) => [one, ...offsets.map((offset) => ({ ...one, at: Math.max(start, one.at + offset) }))]);
    const lengths = fc.oneof(
      fc.integer({ min: 1, max: 120_000 }),
      fc.integer({ min: 1, max: dayMs }),
      fc.integer({ min: 1, max: span }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(near, { maxLength: 30 }),
        fc.array(fc.tuple(fc.integer({ min: -dayMs, max: span }), lengths, fc.boolean()), {
          minLength: 5,
          maxLength: 5,
        }),
        async (groups, windows) => {
          const errors = groups.flat();
          const appId = await newApp();
          // Stored in two portions, so that counts are added to existing ones.
          await store(appId, errors.slice(0, errors.length / 2));
          await store(appId, errors.slice(errors.length / 2));
          for (const [offset, length, includeClientErrors] of windows) {
            const window = { start: start + offset, end: start + offset + length, includeClientErrors };
            const answered = await ask(appId, { ...window, include4xx: String(includeClientErrors) });
            const { counted, paths, ...expected } = naiveBreakdown(
              errors,
              window.end <= start ? { ...window, end: window.start } : window,
            );
            expect(answered).toMatchObject(expected);
            expect(answered.timeseries).toEqual(naiveTimeseries(counted, answered));
            expect(answered.top_paths).toHaveLength(Math.min(20, paths.length));
            expect(paths).toEqual(expect.arrayContaining(answered.top_paths));
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('includes errors that another process has stored, even with a cached response', async () => {
    const appId = await newApp();
    await store(appId, [error()]);
    const window = { start, end: start + hourMs };
    expect((await ask(appId, window)).summary.total).toBe(1);
    const folder = server.dataDir;
    const { writeFile } = await import('node:fs/promises');
    const msec = (start / 1000).toFixed(3);
    const line = JSON.stringify({ msec, request_method: 'GET', request_uri: '/x?y', status: '503' });
    await writeFile(`${folder}/access.log`, `${line}\n`);
    await cubbyHere(folder).json('edge-log', 'import', '--app', appId, `${folder}/access.log`);
    expect((await ask(appId, window)).summary.total).toBe(2);
  });

  it('reads only the applications of its account, and of these only the resources of its key', async () => {
    const [mine, second] = [await newApp(), await newApp()];
    const other = await server.account();
    const path = (appId: string) =>
      `/v2/apps/${appId}/network/errors?start=2026-04-21T00:00:00Z&end=2026-04-22T00:00:00Z`;
    const code = async (appId: string, credential: string) =>
      (await server.send(path(appId), { credential })).json().code;
    const narrow = await server.key(account, { scopes: ['apps:read'], resources: [mine] });
    expect(await code(mine, narrow)).toBeUndefined();
    expect(await code(second, narrow)).toBe('RESOURCE_NOT_ALLOWED');
    expect(await code('app_unknown', narrow)).toBe('RESOURCE_NOT_ALLOWED');
    expect(await code(mine, other.credential)).toBe('APP_NOT_FOUND');
    expect(await code('app_unknown', account.credential)).toBe('APP_NOT_FOUND');
    expect(await code(builtInAppId(account.id), account.credential)).toBeUndefined();
    // A restriction to another account's application gives no access either.
    expect(await code(mine, await server.key(other, { scopes: ['apps:read'], resources: [mine] }))).toBe(
      'APP_NOT_FOUND',
    );
  });
});

describe('the limit of getNetworkErrors()', () => {
  /** Each second makes another address, so that no cache holds its response. */
  const errorsFrom = (app: string, second: number) =>
    `/v2/apps/${app}/network/errors?start=2026-04-21T00:00:${String(second).padStart(2, '0')}Z` +
    '&end=2026-04-22T00:00:00Z';

  it('counts only cache misses, for the account over all its applications', async () => {
    const limited = await startTestServer({ rateLimits: true });
    const owner = await limited.account('enterprise');
    const appId = builtInAppId(owner.id);
    const send = (second: number, app = appId) =>
      limited.send(errorsFrom(app, second), { credential: owner.credential });
    const left = (answer: Awaited<ReturnType<typeof send>>) =>
      Number(/"network-errors";r=(\d+)/.exec(answer.headers.get('ratelimit')!)![1]);
    for (let asked = 0; asked < 40; asked++) expect(left(await send(0))).toBe(14);
    for (let asked = 1; asked < 15; asked++) expect((await send(asked)).status).toBe(200);
    expect(left(await send(0))).toBe(0);
    const refused = await send(15);
    expect([refused.status, refused.json().code, refused.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      '60',
    ]);
    // Requests with wrong fields or an unknown application read nothing.
    expect((await send(99)).json().code).toBe('INVALID_TIME_RANGE');
    expect((await send(16, 'app_unknown')).json().code).toBe('APP_NOT_FOUND');
    limited.clock.advance(60_000);
    expect((await send(15)).status).toBe(200);
  });

  it('allows 15 of 40 new parallel requests', async () => {
    const limited = await startTestServer({ rateLimits: true });
    const owner = await limited.account('enterprise');
    const asked = Array.from({ length: 40 }, (_, second) =>
      limited.send(errorsFrom(builtInAppId(owner.id), second), { credential: owner.credential }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(15);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});
