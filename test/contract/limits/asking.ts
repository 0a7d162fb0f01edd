import { once } from 'node:events';
import { request } from 'node:http';

import { expect } from 'vitest';

import { multipart, multipartType, smallest } from '#test/contract/bad-input/multipart.ts';
import { rawSend } from '#test/contract/bad-input/raw-request.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';

/** Short forms of the requests that these tests send by the hundred. */
export interface Asking {
  list(who: Asker): Promise<TestAnswer>;
  info(who: Asker): Promise<TestAnswer>;
  /** Names files that do not exist: what counts is how many. */
  remove(who: Asker, files?: number): Promise<TestAnswer>;
  upload(who: Asker, query?: string): Promise<TestAnswer>;
}

/** An account, or just its credential; `from` is the address that the request seems to come from. */
export type Asker = Pick<TestAccount, 'id' | 'credential'> & { readonly from?: string };

export function asking(server: () => TestServer): Asking {
  const send = (
    who: Asker,
    method: string,
    path: string,
    body?: string | Uint8Array,
    headers: Record<string, string> = {},
  ) =>
    rawSend(server(), {
      method,
      path,
      credential: who.credential,
      headers: { ...headers, ...(who.from !== undefined && { 'X-Forwarded-For': who.from }) },
      body,
    });
  return {
    list: (who) => send(who, 'GET', '/v1/objects?limit=1'),
    info: (who) => send(who, 'GET', `/v1/objects/info?object=pub/${who.id}/none.png`),
    remove: (who, files = 1) => {
      const ids = Array.from({ length: files }, (_, at) => `pub/${who.id}/none${at}.png`);
      return send(who, 'DELETE', '/v1/objects', JSON.stringify(files === 1 ? { object: ids[0] } : { objects: ids }));
    },
    upload: (who, query = 'name=photo') =>
      send(who, 'POST', `/v1/objects?${query}`, multipart(smallest), { 'Content-Type': multipartType }),
  };
}

/** Runs `act` so many times, a few at once, and gives all the answers. */
export async function times(count: number, act: () => Promise<TestAnswer>): Promise<TestAnswer[]> {
  const answers: TestAnswer[] = [];
  for (let left = count; left > 0; left -= 50)
    answers.push(...(await Promise.all(Array.from({ length: Math.min(left, 50) }, act))));
  return answers;
}

/**
 * Sends so many requests of one kind without a body, a few at once, and gives the statuses of the answers. Nothing else
 * of them is looked at, which makes hundreds cheap.
 */
export async function statusesOf(
  server: TestServer,
  count: number,
  method: string,
  path: string,
  { credential }: Pick<TestAccount, 'credential'>,
): Promise<number[]> {
  const port = new URL(server.running.urls.api).port;
  const headers = { Authorization: credential, 'Content-Length': '0' };
  const statuses: number[] = [];
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const [response] = await once(request({ host: '127.0.0.1', port, method, path, headers }).end(), 'response');
      statuses.push(response.statusCode);
      await once(response.resume(), 'end');
    }
  };
  await Promise.all(Array.from({ length: 5 }, lane));
  return statuses;
}

export const isRateLimited = (answer: TestAnswer): boolean => answer.status === 429;

/** Holds that every one was let through the limits, whatever was answered then. */
export function expectLetThrough(answers: readonly TestAnswer[]): void {
  expect(answers.filter(isRateLimited)).toHaveLength(0);
}

/** Holds that it was refused for its rate, and that it names this many seconds, in the header alone. */
export function expectRefused(answer: TestAnswer, retryAfterSeconds: number): void {
  expect(answer.status).toBe(429);
  expect(answer.json().code).toBe('RATE_LIMITED');
  expect(answer.headers.get('retry-after')).toBe(String(retryAfterSeconds));
  expect(answer.headers.get('cache-control')).toBe('no-store');
}

/** Holds that the time named is the right one: a moment before it refuses still, then it lets through. */
export async function expectRetryAfter(
  server: TestServer,
  seconds: number,
  act: () => Promise<TestAnswer>,
): Promise<void> {
  expectRefused(await act(), seconds);
  server.clock.advance(seconds * 1000 - 1);
  expectRefused(await act(), 1);
  server.clock.advance(1);
  expectLetThrough([await act()]);
}

export interface LimitState {
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** What the two header fields say, by the name of the limit. */
export function limitsOf({ headers }: TestAnswer): Record<string, LimitState> {
  const policies = items(headers.get('ratelimit-policy'), /^"([a-z0-9-]+)";q=(\d+);w=(\d+)$/);
  const left = items(headers.get('ratelimit'), /^"([a-z0-9-]+)";r=(\d+);t=(\d+)$/);
  expect([...left.keys()], 'both fields name the same limits').toEqual([...policies.keys()]);
  return Object.fromEntries(
    [...policies].map(([name, [quota, windowSeconds]]) => {
      const [remaining, resetSeconds] = left.get(name)!;
      return [name, { quota, windowSeconds, remaining, resetSeconds }];
    }),
  ) as Record<string, LimitState>;
}

function items(field: string | null, form: RegExp): Map<string, [number, number]> {
  expect(field, 'the field is there').not.toBeNull();
  return new Map(
    field!.split(', ').map((item) => {
      const [, name, first, second] = form.exec(item) ?? [];
      expect(name, `"${item}" has the form of the draft`).toBeDefined();
      return [name!, [Number(first), Number(second)]];
    }),
  );
}
