import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import type { Attacked, Target } from './body-sender.ts';
import { residentMb } from './process-usage.ts';
import type { Report } from './report.ts';

const attackMs = 20_000;
const limitMb = 300;

/**
 * Measures the server's memory while 1,500 connections without a key send bodies of 1 MB and stay open, from one
 * address and from 200. Others, with a key and without one, are served meanwhile.
 */
export async function readBodies({ say, row }: Report): Promise<void> {
  for (const addresses of [1, 200]) {
    const { idleMb, peakMb, statuses, served, failed, slowestMs } = await underAttack(addresses, attackMs);
    const from = `from ${addresses === 1 ? 'one address' : `${addresses} addresses`}`;
    say(`${from}: the attack was answered ${JSON.stringify(statuses)}`);
    row(`the server before the attack ${from}`, `${idleMb.toFixed(0)} MB RSS`);
    row(
      'its peak meanwhile, sampled every 50 ms',
      `${peakMb.toFixed(0)} MB RSS`,
      `limit ${limitMb} MB: ${peakMb < limitMb ? 'kept' : 'NOT KEPT'}`,
    );
    row('requests of others meanwhile', `${served} served, ${failed.length} not`, `slowest ${slowestMs.toFixed(0)} ms`);
    for (const failure of failed.slice(0, 3)) say(failure);
  }
}

/** What was seen of a server under attack. */
interface Seen {
  readonly idleMb: number;
  readonly peakMb: number;
  /** The responses to the attack, by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests of others. */
  readonly served: number;
  readonly failed: readonly string[];
  readonly slowestMs: number;
}

/** Starts a server, and attacks it from so many addresses while others call it. */
export async function underAttack(addresses: number, ms: number): Promise<Seen> {
  const server = await spawnServer({ env: { CUBBY_RATE_LIMITS: 'on' }, ownStores: true });
  try {
    const honest = await honestCaller(server);
    const idleMb = residentMb(server.pid);
    let peakMb = idleMb;
    const sampling = setInterval(() => (peakMb = Math.max(peakMb, residentMb(server.pid))), 50);
    const endAttack = attackOn({ targets: honest.targets, addresses });
    await honest.callFor(ms);
    clearInterval(sampling);
    const { served, failed, slowestMs } = honest;
    return { idleMb, peakMb, statuses: await endAttack(), served, failed, slowestMs };
  } finally {
    await server.remove();
  }
}

/**
 * Starts the attack in a process of its own, so that it delays no request of others. Returns the answers that it got.
 */
function attackOn(server: Attacked): () => Promise<Readonly<Record<string, number>>> {
  const child = fork(join(import.meta.dirname, 'body-sender.ts'), [JSON.stringify(server)]);
  return async () => {
    const answers = once(child, 'message') as Promise<[Readonly<Record<string, number>>]>;
    child.send('end');
    const [statuses] = await answers;
    child.kill();
    return statuses;
  };
}

const form = 'application/x-www-form-urlencoded';

/** The account of the caller with a key, and what its visitors call. */
interface Honest {
  readonly server: SpawnedServer;
  readonly credential: string;
  readonly accountId: string;
  /** Headers of requests with a body in JSON. */
  readonly json: Record<string, string>;
  /** The address of a share with a password. */
  readonly shareUrl: string;
}

/** A caller with a key and visitors without one, who call by turns. */
async function honestCaller(server: SpawnedServer) {
  const { urls } = server;
  const { credential, id: accountId } = await server.account('enterprise');
  const json = { Authorization: credential, 'Content-Type': 'application/json' };
  const { id: object } = await made(
    fetch(`${urls.base}/v1/objects?name=file&private=true`, {
      method: 'POST',
      headers: { Authorization: credential },
      body: file(),
    }),
  );
  const share = await post(`${urls.base}/v1/shares`, json, { object, password: 'the right one' });
  const by: Honest = { server, credential, accountId, json, shareUrl: share.url };
  const calls = callsOf(by);
  const honest = {
    targets: await targetsOf(by),
    served: 0,
    failed: [] as string[],
    slowestMs: 0,
    async callFor(ms: number) {
      const until = performance.now() + ms;
      for (let number = 0; performance.now() < until; number++) {
        const [name, call, status] = calls[number % calls.length]!;
        const begunAt = performance.now();
        try {
          const answer = await call();
          await answer.arrayBuffer();
          if (answer.status === status) honest.served++;
          else honest.failed.push(`${name}: ${answer.status}`);
        } catch (error) {
          honest.failed.push(`${name}: ${(error as Error).message}`);
        }
        honest.slowestMs = Math.max(honest.slowestMs, performance.now() - begunAt);
        await sleep(400);
      }
    },
  };
  return honest;
}

function file(): FormData {
  const form = new FormData();
  form.append('file', new Blob(['x'.repeat(4096)]), 'file.txt');
  return form;
}

async function made(response: Promise<Response>): Promise<any> {
  const answer = await response;
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { readonly response: unknown }).response;
}

function post(url: string, headers: Record<string, string>, body: unknown): Promise<any> {
  return made(fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }));
}

/** Returns the addresses that take a body without a key. */
async function targetsOf({ server, accountId, json, shareUrl }: Honest): Promise<Target[]> {
  const { urls } = server;
  const operator = { Authorization: await server.operatorKey(), 'Content-Type': 'application/json' };
  const request = await post(`${urls.base}/v1/file-requests`, json, {
    prefix: 'sent',
    title: 'Send',
    password: 'the right one',
  });
  const { app_id: named, id: appId = named } = await post(
    `${urls.operator}/v2/operator/accounts/${accountId}/apps`,
    operator,
    { name: 'app' },
  );
  const { url: hook } = await post(`${urls.api}/v2/apps/${appId}/deploy/hook`, json, {
    repository: 'https://git.invalid/a.git',
  });
  const { webhook } = await post(`${urls.api}/v2/apps/${appId}/deploy/webhook`, json, {
    access_token: 'token',
    secret: 'a secret of the webhook',
  });
  return [
    { url: `${urls.base}/v1/sessions`, type: 'application/json', field: 'api_key' },
    { url: `${urls.api}/v2/auth/device`, type: 'application/json', field: 'client_name' },
    { url: `${urls.api}/v2/auth/device/token`, type: form, field: 'device_code' },
    { url: `${urls.api}/activate`, type: form, field: 'action' },
    { url: shareUrl, type: form, field: 'password' },
    { url: `${request.url}/password`, type: form, field: 'password' },
    { url: `${request.url}/uploads`, type: 'application/json', field: 'name' },
    { url: hook, type: 'application/json', field: 'ref' },
    { url: webhook, type: 'application/json', field: 'ref' },
    { url: `${urls.operator}/v2/operator/session`, type: 'application/json', field: 'operator_key' },
  ];
}

/** Returns the calls that are made by turns, with the status of the right answer. */
function callsOf({
  server: { urls },
  credential,
  json,
  shareUrl,
}: Honest): ReadonlyArray<readonly [name: string, call: () => Promise<Response>, status: number]> {
  const keyed = { Authorization: credential };
  return [
    ['a list', () => fetch(`${urls.base}/v1/objects?limit=1`, { headers: keyed }), 200],
    ['a token', () => fetch(`${urls.base}/v1/upload-tokens`, { method: 'POST', headers: json, body: '{}' }), 200],
    [
      'an upload',
      () => fetch(`${urls.base}/v1/objects?name=other`, { method: 'POST', headers: keyed, body: file() }),
      200,
    ],
    [
      'a sign-in',
      () =>
        fetch(`${urls.base}/v1/sessions`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ api_key: credential }),
        }),
      200,
    ],
    [
      'a password',
      () =>
        fetch(shareUrl, {
          method: 'POST',
          redirect: 'manual',
          headers: { 'Content-Type': form },
          body: new URLSearchParams({ password: 'the right one' }),
        }),
      303,
    ],
  ];
}
