import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import type { TestAccount } from '#test/support/server.ts';
import type { Guessed, Guessing } from './guesser.ts';
import { steadyTimesDuring, timesOf, type Times } from './load.ts';
import { mainThreadMs } from './process-usage.ts';
import { rounded, type Report } from './report.ts';

const password = 'correct horse battery';
const visitEveryMs = 10;
const aloneMs = 20_000;
const logins = 20;

/** The rates of guesses: steady and well below the server's capacity, and as fast as one client can send. */
const loads = [
  { name: '200 guesses a second', guesses: 4_000, perSecond: 200, connections: 64 },
  { name: '10,000 guesses, as many as one client can', guesses: 10_000, perSecond: undefined, connections: 64 },
] as const;

/**
 * Measures what password guesses on one link cost visitors of other links: files without a password, and the right
 * password of another link. Guesses come from a process with the lowest priority, so that both do not compete for the
 * cores.
 */
export async function shares({ say, row }: Report): Promise<void> {
  const server = await spawnServer({ env: { CUBBY_RATE_LIMITS: 'on', CUBBY_TRUSTED_PROXIES: 'loopback' } });
  try {
    const account = await server.account();
    const [open, locked] = [await link(server, account, {}), await link(server, account, { password })];
    say('visitors alone');
    const alone = await visitsDuring(server, open, () => sleep(aloneMs));
    const aloneLogins = await loginTimes(locked);
    row('a file of 3 KB, nobody guesses', ...figuresOf(alone));
    row('the right password, nobody guesses', formatTimes(aloneLogins));
    for (const { name, ...load } of loads) {
      say(`visitors beside ${name}`);
      const url = await link(server, account, { password });
      const beside = await visitsDuring(server, open, () => guessAt({ url, ...load }));
      const { statuses, tookMs } = beside.result;
      const visitsMs = (alone.usedMs * beside.count) / alone.count;
      row(`a file of 3 KB, beside ${name}`, ...figuresOf(beside));
      row(
        '  what became of them',
        statuses.map(([status, count]) => `${count.toLocaleString('en')} × ${status}`).join(', '),
        `${rounded((load.guesses * 1000) / tookMs)} /s, ${((beside.usedMs - visitsMs) / load.guesses).toFixed(2)} ` +
          `ms of the event loop's processor time each`,
      );
    }
    say('right passwords beside guesses');
    const url = await link(server, account, { password });
    const [besideLogins] = await Promise.all([loginTimes(locked), guessAt({ url, ...loads[0] })]);
    row(`the right password of another link, beside ${loads[0].name}`, formatTimes(besideLogins));
  } finally {
    await server.remove();
  }
}

interface Visits<T> {
  readonly result: T;
  readonly count: number;
  readonly times: Times;
  /** CPU time of the server's event loop, without the hashing. */
  readonly usedMs: number;
  /** 99th percentile of the event loop's delay. */
  readonly lateMs: number;
}

/** Sends visitors from many addresses, one every {@link visitEveryMs}, while `work` runs. */
async function visitsDuring<T>(server: SpawnedServer, url: string, work: () => Promise<T>): Promise<Visits<T>> {
  const { host, pathname } = new URL(url);
  const visit = (number: number) =>
    Buffer.from(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: 172.16.0.${number % 256}\r\n\r\n`);
  await server.watchLoop();
  const usedMs = mainThreadMs(server.pid);
  const visits = await steadyTimesDuring(url, visitEveryMs, visit, work);
  const { p99Ms } = await server.loopDelay();
  return { ...visits, usedMs: mainThreadMs(server.pid) - usedMs, lateMs: p99Ms };
}

/** Measures logins with the right password, one after another, each from its own address. */
async function loginTimes(url: string): Promise<Times> {
  const took: number[] = [];
  for (let number = 0; number < logins; number++) {
    const since = performance.now();
    const headers = { 'X-Forwarded-For': `172.16.1.${number}` };
    const { status } = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ password }),
    });
    if (status !== 303) throw new Error(`A visitor with the right password got status ${status}.`);
    took.push(performance.now() - since);
  }
  return timesOf(took);
}

function formatTimes({ p50Ms, p99Ms, maxMs }: Times): string {
  return `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, worst ${maxMs.toFixed(1)} ms`;
}

function figuresOf({ times, lateMs }: Visits<unknown>): [string, string] {
  return [formatTimes(times), `the server's event loop late by ${lateMs.toFixed(1)} ms in 1 of 100`];
}

/** Sends guesses from another process. */
async function guessAt(guessing: Guessing): Promise<Guessed> {
  const script = join(import.meta.dirname, 'guesser.ts');
  const child = spawn('nice', ['-n', '19', process.execPath, script, JSON.stringify(guessing)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The guessing process ended with ${code}.`);
  });
  return Promise.race([once(child, 'message').then(([guessed]) => guessed as Guessed), failed]);
}

async function link({ urls }: SpawnedServer, { credential }: TestAccount, body: object): Promise<string> {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(3000)], 'photo.png'));
  const uploaded = await answerOf(
    await fetch(`${urls.base}/v1/objects?name=photo&private=true`, {
      method: 'POST',
      headers: { Authorization: credential },
      body: form,
    }),
  );
  const created = await fetch(`${urls.base}/v1/shares`, {
    method: 'POST',
    headers: { Authorization: credential },
    body: JSON.stringify({ object: uploaded.id, ...body }),
  });
  return (await answerOf(created)).url;
}

async function answerOf(response: Response): Promise<any> {
  if (!response.ok) throw new Error(`The server answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as any).response;
}
