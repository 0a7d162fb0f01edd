import type { EdgeErrors } from '#dist/modules/client/index.js';

const windows = { hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 2_592_000_000 } as const;
export type WindowName = keyof typeof windows;

/**
 * Returns the window that ends now, in whole minutes. Requests within a minute are then alike, so the server can cache
 * the response.
 */
export function windowUntil(nowMs: number, name: WindowName): { readonly start: string; readonly end: string } {
  const end = Math.ceil(nowMs / 60_000) * 60_000;
  return { start: new Date(end - windows[name]).toISOString(), end: new Date(end).toISOString() };
}

/** Returns the counts over time by class of status, with times in seconds. */
export function classesOver(timeseries: EdgeErrors['timeseries']) {
  const sum = (buckets: Readonly<Record<string, number>>, first: string) =>
    Object.entries(buckets).reduce((total, [status, count]) => (status.startsWith(first) ? total + count : total), 0);
  return {
    times: timeseries.map(({ date }) => Date.parse(date) / 1000),
    client: timeseries.map(({ buckets }) => sum(buckets, '4')),
    server: timeseries.map(({ buckets }) => sum(buckets, '5')),
  };
}
