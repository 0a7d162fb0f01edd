import { describe, expect, it } from 'vitest';

import { deleteAccount, restoreAccount, resumeAccount, suspendAccount } from '#server/domain/account/close-account.ts';
import { createApp } from '#server/features/apps/create-app.ts';
import { serverActor } from '#server/domain/audit/audit-entry.ts';
import {
  afterEvent,
  transitions,
  type Deploy,
  type DeployEvent,
  type DeployState,
} from '#server/features/deploys/deploy.ts';
import { endDeploy } from '#server/features/deploys/end-deploy.ts';
import { forgetDeliveries } from '#server/features/deploys/forget-deliveries.ts';
import { queuePush, type QueuePush } from '#server/features/deploys/queue-push.ts';
import { readToken } from '#server/features/deploys/read-token.ts';
import { renewLease } from '#server/features/deploys/renew-lease.ts';
import { setWebhook } from '#server/features/deploys/set-webhook.ts';
import { settleTokenOrigin } from '#server/features/deploys/settle-token-origin.ts';
import { takeDeploy } from '#server/features/deploys/take-deploy.ts';
import { webhookCredential } from '#server/features/deploys/webhook.ts';
import { overTransactions } from '#server/domain/ports/decorated.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';

const commit = (letter: string) => letter.repeat(40);

interface Queue extends TestStores {
  readonly appId: string;
  push(change?: {
    readonly commit?: string;
    readonly branch?: string;
    readonly repository?: string;
    readonly id?: string;
    readonly windowMs?: number;
    readonly secret?: string;
    readonly coalesces?: boolean;
  }): Promise<Deploy>;
  take(): Promise<Deploy | undefined>;
  find(deploy: Deploy): Promise<Deploy>;
}

let deliveries = 0;

async function openQueue(): Promise<Queue> {
  const stores = await openTestStores();
  const account = await stores.account();
  const { id: appId } = (await createApp(stores, { accountId: account.id, name: 'shop' }))!;
  const code = await setWebhook(stores, { accountId: account.id, appId, accessToken: 'token', secret: undefined });
  const webhook = { appId, codeHashes: [stores.secrets.credentialHash(webhookCredential(code))], secret: undefined };
  return {
    ...stores,
    appId,
    async push({
      commit: pushed = commit('a'),
      branch = 'main',
      repository = 'https://git.invalid/acme/shop.git',
      id = `delivery ${deliveries++}`,
      windowMs = 0,
      secret,
      coalesces = false,
    } = {}) {
      const request: QueuePush = {
        webhook: { ...webhook, secret },
        push: { host: 'github', repository },
        branches: [{ kind: 'branch', branch, commit: pushed, message: null }],
        delivery: {
          idHash: Buffer.from(id),
          bodyHash: Buffer.from(`body of ${id}`),
          isKnownByBody: true,
          tellsBefore: true,
        },
        windowMs,
        coalesces,
      };
      return (await queuePush(stores, request)).deploys[0]!;
    },
    take: async () => (await takeDeploy(stores)).deploy,
    find: async ({ id }) => (await stores.metadata.read.deploys.find(id))!,
  };
}

const states: readonly DeployState[] = ['pending', 'running', 'success', 'error', 'superseded', 'cancelled'];
const events: readonly DeployEvent[] = ['taken', 'succeeded', 'failed', 'given back', 'overtaken', 'cancelled'];
const rows = states.flatMap((state) => events.map((event) => [state, event, transitions[state][event]] as const));

describe('afterEvent()', () => {
  const deploy = (state: DeployState): Deploy => ({
    id: 'dep_1',
    sequence: 1,
    appId: 'app_1',
    state,
    branch: 'main',
    commit: commit('a'),
    message: null,
    repository: null,
    host: 'github',
    createdAt: 1,
    updatedAt: 1,
    tries: 0,
    dueAt: 1,
    lease: null,
    cancelRequestedAt: null,
  });

  it.each(rows.filter(([, , to]) => to !== undefined))(
    'moves a deploy that is %s and is %s to %s',
    (from, event, to) => {
      expect(afterEvent(deploy(from), event, {}, 7)).toMatchObject({ state: to, updatedAt: 7 });
    },
  );

  it.each(rows.filter(([, , to]) => to === undefined))('throws when a deploy that is %s is %s', (from, event) => {
    expect(() => afterEvent(deploy(from), event, {}, 7)).toThrow(/cannot be/);
  });

  it('allows no event after a final state, and reaches every state', () => {
    expect(states.filter((state) => Object.keys(transitions[state]).length === 0)).toEqual([
      'success',
      'error',
      'superseded',
      'cancelled',
    ]);
    expect(new Set(rows.flatMap(([, , to]) => to ?? []))).toEqual(
      new Set(['pending', 'running', 'success', 'error', 'superseded', 'cancelled']),
    );
  });
});

describe('takeDeploy()', () => {
  it('takes the oldest waiting deploy, once, and none of a branch that runs', async () => {
    const queue = await openQueue();
    const [first, other] = [await queue.push(), await queue.push({ branch: 'next' })];
    expect((await queue.take())!.id).toBe(first.id);
    const newer = await queue.push({ commit: commit('b') });
    expect((await queue.take())!.id).toBe(other.id);
    expect(await queue.take()).toBeUndefined();
    await endDeploy(queue, await queue.find(first), 'success');
    expect((await queue.take())!.id).toBe(newer.id);
  });

  it('lets the deploys of a stopped account wait until it goes on', async () => {
    const queue = await openQueue();
    const waiting = await queue.push();
    const { accountId } = (await queue.metadata.read.apps.find(queue.appId))!;
    const by = serverActor;
    await suspendAccount(queue, { accountId, by });
    expect(await queue.take()).toBeUndefined();
    await resumeAccount(queue, { accountId, by });
    await deleteAccount(queue, { accountId, by });
    expect(await queue.take()).toBeUndefined();
    expect((await queue.find(waiting)).state).toBe('pending');
    await restoreAccount(queue, { accountId, by });
    expect((await queue.take())?.id).toBe(waiting.id);
  });

  it('leaves a deploy to the process that begins it in the same moment, and takes the next one', async () => {
    const queue = await openQueue();
    const [first, other] = [await queue.push(), await queue.push({ branch: 'next' })];
    let isFirst = true;
    const metadata = overTransactions(queue.metadata, ({ deploys }) => ({
      deploys: {
        ...deploys,
        async change(before, after) {
          // Another process was quicker.
          if (isFirst) await deploys.change(before, { ...after, lease: { id: 'theirs', until: after.lease!.until } });
          isFirst = false;
          return deploys.change(before, after);
        },
      },
    }));
    expect((await takeDeploy({ ...queue, metadata })).deploy!.id).toBe(other.id);
    expect((await queue.find(first)).lease!.id).toBe('theirs');
  });

  it('takes the deploy of a lost runner, after 30 seconds without a sign of it', async () => {
    const queue = await openQueue();
    await queue.push();
    const lost = (await queue.take())!;
    queue.clock.advance(20_000);
    expect(await renewLease(queue, lost)).toBe(true);
    queue.clock.advance(30_000);
    expect(await queue.take()).toBeUndefined();
    queue.clock.advance(1);
    expect(await queue.take(), 'it waits for its next try').toBeUndefined();
    queue.clock.advance(10_000);
    const again = (await queue.take())!;
    expect(again).toMatchObject({ id: lost.id, tries: 2 });
    expect(await renewLease(queue, lost)).toBe(false);
    expect(await endDeploy(queue, lost, 'success'), 'the first runner comes too late').toBeUndefined();
    expect(await queue.find(lost)).toMatchObject({ state: 'running' });
    expect(await endDeploy(queue, again, 'success')).toMatchObject({ state: 'success' });
  });

  it('gives up a deploy whose fourth runner is lost, and reports it', async () => {
    const queue = await openQueue();
    const deploy = await queue.push();
    for (const waitMs of [0, 10_000, 60_000, 300_000]) {
      queue.clock.advance(waitMs);
      expect(await queue.take(), String(waitMs)).toMatchObject({ id: deploy.id });
      queue.clock.advance(30_001);
      const { abandoned } = await takeDeploy(queue);
      expect(abandoned.map(({ id }) => id)).toEqual(waitMs === 300_000 ? [deploy.id] : []);
    }
    expect(await queue.find(deploy)).toMatchObject({ state: 'error', tries: 4, lease: null });
  });
});

describe('endDeploy()', () => {
  it('tries a repository again after 10 seconds, a minute and 5 minutes, and then no more', async () => {
    const queue = await openQueue();
    const deploy = await queue.push();
    for (const waitMs of [10_000, 60_000, 300_000]) {
      expect(await endDeploy(queue, (await queue.take())!, 'try again')).toMatchObject({ state: 'pending' });
      queue.clock.advance(waitMs - 1);
      expect(await queue.take()).toBeUndefined();
      queue.clock.advance(1);
    }
    expect(await endDeploy(queue, (await queue.take())!, 'try again')).toMatchObject({
      id: deploy.id,
      state: 'error',
      tries: 4,
    });
  });

  it.each(['try again', 'stopped'] as const)(
    'replaces a deploy that ends with "%s" by a newer push of the branch',
    async (outcome) => {
      const queue = await openQueue();
      await queue.push();
      const running = (await queue.take())!;
      const newer = await queue.push({ commit: commit('b') });
      expect(await endDeploy(queue, running, outcome)).toMatchObject({ state: 'superseded', lease: null });
      expect((await queue.take())!.id).toBe(newer.id);
    },
  );

  it('puts a stopped deploy back at once, without counting its try', async () => {
    const queue = await openQueue();
    await queue.push();
    expect(await endDeploy(queue, (await queue.take())!, 'stopped')).toMatchObject({ state: 'pending', tries: 0 });
    expect(await queue.take()).toMatchObject({ tries: 1 });
  });
});

describe('queuePush()', () => {
  it('leaves one waiting deploy, however many pushes and runners overlap', async () => {
    const queue = await openQueue();
    const pushes = Array.from({ length: 40 }, (_, index) => queue.push({ commit: commit((index % 10).toString()) }));
    const takes = Array.from({ length: 40 }, () => queue.take());
    const pushed = await Promise.all(pushes);
    const taken = (await Promise.all(takes)).filter((deploy) => deploy !== undefined);
    const found = await Promise.all(pushed.map(queue.find));
    const count = (state: DeployState) => found.filter((deploy) => deploy.state === state).length;
    expect(taken.length).toBe(1);
    expect([
      count('running'),
      count('pending') <= 1,
      count('running') + count('pending') + count('superseded'),
    ]).toEqual([1, true, 40]);
  });

  it('counts nothing against the limit when the deploy cannot be stored', async () => {
    const queue = await openQueue();
    const failing: typeof queue.metadata = Object.create(queue.metadata, {
      atomically: {
        value: (work: Parameters<typeof queue.metadata.atomically>[0]) =>
          queue.metadata.atomically(async (tx) => {
            await work(tx);
            throw new Error('The disk is full.');
          }),
      },
    });
    const request: QueuePush = {
      webhook: {
        appId: queue.appId,
        codeHashes: [(await queue.metadata.read.gitWebhooks.find(queue.appId))!.codeHash],
        secret: undefined,
      },
      push: { host: 'github', repository: null },
      branches: [{ kind: 'branch', branch: 'main', commit: commit('a'), message: null }],
      delivery: { idHash: undefined, bodyHash: Buffer.from('x'), isKnownByBody: true, tellsBefore: true },
      windowMs: 15_000,
    };
    await expect(queuePush({ ...queue, metadata: failing }, request)).rejects.toThrow('The disk is full.');
    expect(await queuePush(queue, request)).toMatchObject({ deploys: [{ commit: commit('a') }], isNew: true });
    expect(await queuePush(queue, request)).toMatchObject({ deploys: [{ commit: commit('a') }], isNew: false });
    await expect(queue.push({ windowMs: 15_000 })).rejects.toMatchObject({ code: 'KEEP_CALM', retryAfterSeconds: 15 });
  });

  it('queues successive pushes when they may coalesce, and deploys only the newest of a branch', async () => {
    const queue = await openQueue();
    const push = (letter: string, branch = 'main') =>
      queue.push({ commit: commit(letter), branch, windowMs: 15_000, coalesces: true });
    const first = await push('a');
    expect((await queue.take())!.id).toBe(first.id);
    await endDeploy(queue, (await queue.metadata.read.deploys.find(first.id))!, 'success');
    const second = await push('b');
    const other = await push('c', 'other');
    queue.clock.advance(10_000);
    const third = await push('d');
    expect(await queue.find(second)).toMatchObject({ state: 'superseded' });
    expect((await queue.take())!.id, 'another branch does not wait').toBe(other.id);
    expect(await queue.take(), 'the branch waits for its window').toBeUndefined();
    queue.clock.advance(5_000);
    expect((await queue.take())!.id).toBe(third.id);
  });

  it('takes exactly 20 parallel pushes that coalesce in a window', async () => {
    const queue = await openQueue();
    const pushes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => queue.push({ branch: `b${index}`, windowMs: 15_000, coalesces: true })),
    );
    const rejected = pushes.filter((push) => push.status === 'rejected');
    expect(rejected.map(({ reason }) => reason.code)).toEqual(Array(10).fill('KEEP_CALM'));
    queue.clock.advance(15_000);
    expect(await queue.push({ windowMs: 15_000, coalesces: true })).toMatchObject({ state: 'pending' });
  });

  it('does not block a webhook when the clock is put back', async () => {
    const queue = await openQueue();
    await queue.push({ windowMs: 15_000 });
    queue.clock.advance(-3_600_000);
    expect(await queue.push({ windowMs: 15_000 })).toMatchObject({ state: 'pending' });
  });

  it('recognises a delivery for 30 days', async () => {
    const queue = await openQueue();
    const first = await queue.push({ id: 'once' });
    const day = 86_400_000;
    await forgetDeliveries(queue, queue.clock.now() + 30 * day);
    expect((await queue.push({ id: 'once' })).id).toBe(first.id);
    expect(await forgetDeliveries(queue, queue.clock.now() + 30 * day + 1)).toBe(2);
    expect((await queue.push({ id: 'once' })).id).not.toBe(first.id);
  });
});

describe('readToken()', () => {
  it('returns the token for the origin of the first signed repository, and for no other', async () => {
    const queue = await openQueue();
    const read = (repository: string | null) => readToken(queue, { appId: queue.appId, repository });
    await queue.push({ repository: 'https://refused.invalid/acme/shop.git' });
    expect(await read('https://refused.invalid/acme/shop.git'), 'an unsigned push settles nothing').toEqual({
      without: 'no-origin',
    });
    await queue.push({ secret: 'signed with' });
    await queue.push({ repository: 'https://evil.invalid/acme/shop.git', secret: 'signed with' });
    expect(await read('https://git.invalid/acme/other.git')).toEqual({ token: 'token' });
    for (const other of [
      'https://evil.invalid/acme/shop.git',
      'http://git.invalid/acme/shop.git',
      'https://git.invalid:8443/acme/shop.git',
      'https://git.invalid.evil.invalid/x',
      'file:///git.invalid',
      null,
    ]) {
      expect(await read(other), String(other)).toEqual({ without: 'other-origin' });
    }
  });

  it('returns a new token to a waiting deploy, for the origin of the former one', async () => {
    const queue = await openQueue();
    const deploy = await queue.push();
    await settleTokenOrigin(queue, deploy);
    await settleTokenOrigin(queue, { ...deploy, repository: 'https://evil.invalid/x' });
    const { accountId } = (await queue.metadata.read.apps.find(queue.appId))!;
    await setWebhook(queue, { accountId, appId: queue.appId, accessToken: 'new token', secret: undefined });
    expect(await readToken(queue, deploy)).toEqual({ token: 'new token' });
  });

  it('reports a token that another master key cannot read', async () => {
    const queue = await openQueue();
    const deploy = await queue.push();
    await settleTokenOrigin(queue, deploy);
    expect(await readToken({ ...queue, secrets: masterSecrets(Buffer.alloc(32, 8)) }, deploy)).toEqual({
      without: 'unreadable',
    });
  });
});
