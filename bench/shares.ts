import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import type { TestAccount } from '#test/support/server.ts';
import { processorMs } from './process-usage.ts';
import { rounded, type Report } from './report.ts';

const guesses = 10_000;
const guessesAtOnce = 64;
const visits = 400;
const logins = 20;
const password = 'correct horse battery';

/** What guessing at the password of one link costs visitors of others: pages and files without a password, and the right password of another link. */
export async function shares({ say, row }: Report): Promise<void> {
  const server = await spawnServer({ env: { CUBBY_RATE_LIMITS: 'on', CUBBY_TRUSTED_PROXIES: 'loopback' } });
  try {
    const account = await server.account();
    const [open, locked, guessed] = [await link(server, account, {}), await link(server, account, { password }), await link(server, account, { password })];
    say('visitors alone');
    const alone = await honest(open, locked);
    say(`visitors beside ${guesses.toLocaleString('en')} guesses`);
    const usedMs = processorMs(server.pid);
    const since = performance.now();
    const [beside, statuses] = await Promise.all([honest(open, locked), guessAt(guessed)]);
    const tookMs = performance.now() - since;
    row('a file of 3 KB, nobody guesses', `p50 ${alone.visits.p50} ms, p99 ${alone.visits.p99} ms`);
    row('a file of 3 KB, beside the guesses', `p50 ${beside.visits.p50} ms, p99 ${beside.visits.p99} ms`);
    row('the right password, nobody guesses', `p50 ${alone.logins.p50} ms, p99 ${alone.logins.p99} ms`);
    row('the right password of another link, beside the guesses', `p50 ${beside.logins.p50} ms, p99 ${beside.logins.p99} ms`);
    row(`${guesses.toLocaleString('en')} guesses from as many addresses`, [...statuses].map(([status, count]) => `${count.toLocaleString('en')} × ${status}`).join(', '), `${rounded((guesses * 1000) / tookMs)} /s, ${rounded((processorMs(server.pid) - usedMs) / 1000)} s of the server's processor time with the visitors`);
  } finally {
    await server.remove();
  }
}

async function link({ urls }: SpawnedServer, { credential }: TestAccount, body: object): Promise<string> {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(3000)], 'photo.png'));
  const uploaded = await answerOf(await fetch(`${urls.base}/v1/objects?name=photo&private=true`, { method: 'POST', headers: { Authorization: credential }, body: form }));
  const created = await fetch(`${urls.base}/v1/shares`, { method: 'POST', headers: { Authorization: credential }, body: JSON.stringify({ object: uploaded.id, ...body }) });
  return (await answerOf(created)).url;
}

async function answerOf(response: Response): Promise<any> {
  if (!response.ok) throw new Error(`The server answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as any).response;
}

interface Percentiles {
  readonly p50: string;
  readonly p99: string;
}

/** Visitors, one after another, each from an address of its own. */
async function honest(open: string, locked: string): Promise<{ readonly visits: Percentiles; readonly logins: Percentiles }> {
  return { visits: await timesOf(visits, 200, (number) => get(open, `172.16.0.${number % 256}`)), logins: await timesOf(logins, 303, (number) => submit(locked, password, `172.16.1.${number}`)) };
}

async function timesOf(count: number, expected: number, act: (number: number) => Promise<number>): Promise<Percentiles> {
  const times: number[] = [];
  for (let number = 0; number < count; number++) {
    const since = performance.now();
    const status = await act(number);
    times.push(performance.now() - since);
    if (status !== expected) throw new Error(`A visitor was answered ${status}.`);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1);
  return { p50: at(0.5), p99: at(0.99) };
}

async function guessAt(url: string): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  let sent = 0;
  const guessOn = async (): Promise<void> => {
    while (sent < guesses) {
      const number = sent++;
      const status = await submit(url, `guess number ${number}`, `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: guessesAtOnce }, guessOn));
  return statuses;
}

async function get(url: string, address: string): Promise<number> {
  return drained(await fetch(url, { headers: { 'X-Forwarded-For': address } }));
}

async function submit(url: string, text: string, address: string): Promise<number> {
  return drained(await fetch(url, { method: 'POST', redirect: 'manual', headers: { 'X-Forwarded-For': address }, body: new URLSearchParams({ password: text }) }));
}

async function drained(response: Response): Promise<number> {
  await response.arrayBuffer();
  return response.status;
}
