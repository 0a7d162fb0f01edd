import { once } from 'node:events';
import { request } from 'node:http';

import { expect } from 'vitest';

import { multipart, multipartType, smallest } from '#test/contract/bad-input/multipart.ts';
import { rawSend } from '#test/contract/bad-input/raw-request.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';

/** Short forms of requests that these tests send by the hundred. */
export interface Asking {
  list(who: Asker): Promise<TestAnswer>;
  info(who: Asker): Promise<TestAnswer>;
  /** Names of missing files, because only their number counts. */
  remove(who: Asker, files?: number): Promise<TestAnswer>;
  upload(who: Asker, query?: string): Promise<TestAnswer>;
}

/** An account, or only its credential. `from` is the apparent address of the request. */
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

/** Runs `act` this many times, a few at once, and returns all responses. */
export async function times(count: number, act: () => Promise<TestAnswer>): Promise<TestAnswer[]> {
  const answers: TestAnswer[] = [];
  for (let left = count; left > 0; left -= 50)
    answers.push(...(await Promise.all(Array.from({ length: Math.min(left, 50) }, act))));
  return answers;
}

/**
 * Sends this many requests of one kind without a body, a few at once, and returns the statuses. It reads nothing else
 * of the responses, so hundreds are cheap.
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

/** Checks that every request passed the limits, whatever its response. */
export function expectLetThrough(answers: readonly TestAnswer[]): void {
  expect(answers.filter(isRateLimited)).toHaveLength(0);
}

/** Checks that a rate limit rejected it, and that only the header names this many seconds. */
export function expectRefused(answer: TestAnswer, retryAfterSeconds: number): void {
  expect(answer.status).toBe(429);
  expect(answer.json().code).toBe('RATE_LIMITED');
  expect(answer.headers.get('retry-after')).toBe(String(retryAfterSeconds));
  expect(answer.headers.get('cache-control')).toBe('no-store');
}

/** Checks that the announced time is right: a moment before it requests are rejected, then they pass. */
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

/** Returns the values of the two header fields, by the name of the limit. */
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
