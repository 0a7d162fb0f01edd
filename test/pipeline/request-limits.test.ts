import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';

import { policies } from '#generated/policies.ts';
import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import type { Account } from '#server/domain/account/account.ts';
import { plans } from '#server/domain/plan.ts';
import { slotLeaseMs } from '#server/domain/ports/slots.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Bucket } from '#server/domain/ports/rate-limits.ts';
import { bucketsOf, slotOf, type Counted } from '#server/doors/contract/operation-limits.ts';
import { RequestLimits, type Slot } from '#server/pipeline/request-limits.ts';
import { admissionInSteps } from '#server/stores/memory/admission.ts';
import { MemoryRateLimits } from '#server/stores/memory/rate-limits.ts';
import { MemorySlots } from '#server/stores/memory/slots.ts';
import { TestClock } from '#test/support/clock.ts';
import { openSqliteStores } from '#test/support/stores.ts';

async function open({ isOn = true } = {}) {
  const stores = await openSqliteStores();
  const { clock } = stores;
  const [rates, slots] = [await MemoryRateLimits.restore(stores), new MemorySlots()];
  const admission = admissionInSteps(rates, slots);
  return { limits: new RequestLimits({ rates, slots, admission, clock }, isOn), clock };
}

/** Takes a slot. Returns the function that releases it. */
const enter = async (limits: RequestLimits, slot: Slot | undefined) => (await limits.admit(response(), { slot })).leave;

const response = () => new ServerResponse(new IncomingMessage(new Socket()));
const account = (plan: Account['plan'] = 'enterprise', id = '204815162342108999') => ({ id, plan }) as Account;
const counted = (change: Partial<Counted> = {}): Counted => {
  const caller = 'account' in change ? change.account : account();
  return { account: caller, ownerId: caller?.id, address: '192.0.2.1', pathParameters: {}, files: 1, ...change };
};

/** Returns how many of the requests pass, and the last refusal. */
async function send(limits: RequestLimits, policy: OperationPolicy, times: number, change: Partial<Counted> = {}) {
  let passed = 0;
  let refusal: unknown;
  for (let count = 0; count < times; count++)
    await limits.admit(response(), { buckets: bucketsOf(policy, counted(change)) }).then(
      () => passed++,
      (error: unknown) => (refusal = error),
    );
  return { passed, refusal: refusal as { code: string; retryAfterSeconds: number } | undefined };
}

describe('RequestLimits.admit()', () => {
  it('enforces the limits that the contract names for each operation', async () => {
    for (const [operationId, policy] of Object.entries(policies) as Array<[string, OperationPolicy]>) {
      for (const limit of policy.rateLimits.filter(
        ({ on, exempt }) => on === undefined && !exempt?.includes('enterprise'),
      )) {
        const { limits } = await open();
        const { passed, refusal } = await send(
          limits,
          { ...policy, rateLimits: [limit], countsForAccount: false },
          limit.limit + 1,
        );
        expect(passed, operationId).toBe(limit.limit);
        expect(refusal, operationId).toMatchObject({
          code: 'RATE_LIMITED',
          retryAfterSeconds: Math.max(limit.blockSeconds ?? 0, limit.blockSeconds ? 0 : limit.windowSeconds),
        });
      }
    }
  });

  it.each(plans)('limits a %s account to its requests a minute over all routes together', async (plan) => {
    const { limits, clock } = await open();
    const most = { none: 5, hobby: 120, standard: 300, pro: 600, enterprise: 1200 }[plan];
    const [one, two] = [
      { ...policies.getStats, rateLimits: [] },
      { ...policies.listShares, rateLimits: [] },
    ];
    expect((await send(limits, one, most - 1, { account: account(plan) })).passed).toBe(most - 1);
    expect(await send(limits, two, 3, { account: account(plan) })).toMatchObject({
      passed: 1,
      refusal: { code: 'RATE_LIMITED', retryAfterSeconds: 60 },
    });
    expect((await send(limits, two, 1, { account: account(plan, '1') })).passed).toBe(1);
    clock.advance(60_000);
    expect((await send(limits, two, 1, { account: account(plan) })).passed).toBe(1);
  });

  it('does not count the parts of chunked uploads for the limit over all routes', async () => {
    expect(policies.putChunkedPart.countsForAccount).toBe(false);
  });

  it('exempts the plans that the contract exempts, but counts each request for the account', async () => {
    const { limits } = await open();
    expect((await send(limits, policies.uploadObject, 3, { account: account('standard') })).passed).toBe(1);
    expect((await send(limits, policies.uploadObject, 30, { account: account('pro', '1') })).passed).toBe(30);
    expect((await send(limits, policies.uploadObject, 600, { account: account('pro', '1') })).passed).toBe(570);
  });

  it('counts files if the contract says so, and a request without a list as one', async () => {
    const { limits } = await open();
    expect((await send(limits, policies.updateObjects, 1, { files: 45 })).passed).toBe(1);
    expect(await send(limits, policies.updateObjects, 1, { files: 6 })).toMatchObject({
      passed: 0,
      refusal: { code: 'RATE_LIMITED' },
    });
    expect((await send(limits, policies.updateObjects, 9, { files: 0 })).passed).toBe(5);
  });

  it('lets a request that names more files than the limit pass once, because no waiting would help it', async () => {
    const { limits } = await open();
    expect(await send(limits, policies.updateObjects, 2, { files: 51 })).toMatchObject({
      passed: 1,
      refusal: { code: 'RATE_LIMITED' },
    });
    expect((await send(limits, policies.deleteObjects, 1, { files: 50_000 })).passed).toBe(1);
  });

  it('counts by account, by address, or by each value of a path parameter', async () => {
    const { limits } = await open();
    const once = (per: string, each?: string): OperationPolicy => ({
      ...policies.getStats,
      countsForAccount: false,
      rateLimits: [{ name: `${per}${each}`, per, limit: 1, windowSeconds: 10, ...(each && { each }) }],
    });
    const passes = async (policy: OperationPolicy, change: Partial<Counted>) =>
      (await send(limits, policy, 1, change)).passed === 1;

    expect(await passes(once('account'), {})).toBe(true);
    expect(await passes(once('account'), { address: '192.0.2.2' })).toBe(false);
    expect(await passes(once('account'), { account: account('pro', '1') })).toBe(true);

    expect(await passes(once('address'), { account: undefined })).toBe(true);
    expect(await passes(once('address'), {})).toBe(false);
    expect(await passes(once('address'), { address: '192.0.2.2' })).toBe(true);

    const hooked = (webhook: string) => ({ account: undefined, ownerId: '1', pathParameters: { webhook } });
    expect(await passes(once('webhook'), hooked('a'))).toBe(true);
    expect(await passes(once('webhook'), { ...hooked('a'), address: '192.0.2.2' })).toBe(false);
    expect(await passes(once('webhook'), hooked('b'))).toBe(true);

    const linked = (token: string) => ({ account: undefined, ownerId: '1', pathParameters: { token } });
    expect(await passes(once('address', 'token'), linked('a'))).toBe(true);
    expect(await passes(once('address', 'token'), linked('a'))).toBe(false);
    expect(await passes(once('address', 'token'), { ...linked('a'), address: '192.0.2.2' })).toBe(true);
    expect(await passes(once('address', 'token'), linked('b'))).toBe(true);
  });

  it.each([
    ['openDownloadLink', 'token'],
    ['openShare', 'share_id'],
    ['submitSharePassword', 'share_id'],
  ] as const)(
    'counts all unknown values that an address requests of %s together, under a short key',
    async (operationId, parameter) => {
      const policy = policies[operationId] as OperationPolicy;
      const keys = new Set<string>();
      const rates = {
        take: (buckets: readonly Bucket[]) => (
          buckets.forEach(({ key }) => keys.add(key)),
          Promise.resolve({ isAllowed: true, states: [], retryAfterMs: 0 })
        ),
        blockedMs: () => Promise.resolve(0),
        giveBack: () => Promise.resolve(),
      };
      const slots = new MemorySlots();
      const admission = admissionInSteps(rates, slots);
      const limits = new RequestLimits({ rates, slots, admission, clock: new TestClock() }, true);
      const ask = (value: string, change: Partial<Counted> = {}) =>
        send(limits, policy, 1, { account: undefined, pathParameters: { [parameter]: value }, ...change });
      for (const value of ['a', 'b', '\u0000', 'x'.repeat(12_000)]) await ask(value);
      expect(keys.size).toBe(1);
      await ask('a', { address: '2001:db8:0:0::/64' });
      expect(keys.size).toBe(2);
      for (const value of ['a', 'b', 'x'.repeat(12_000)]) await ask(value, { ownerId: '204815162342108999' });
      const byAccount = policy.rateLimits.filter(({ per }) => per === 'account').length;
      expect(keys.size).toBe(2 + 3 + byAccount);
      for (const key of keys) expect(key.length).toBeLessThan(100);
    },
  );

  it('sets the rate limit headers of the draft, also when it refuses', async () => {
    const { limits } = await open();
    const res = response();
    await limits.admit(res, { buckets: bucketsOf(policies.listObjects, counted()) });
    expect(res.getHeader('RateLimit')).toBe('"list";r=29;t=30, "account";r=1199;t=60');
    expect(res.getHeader('RateLimit-Policy')).toBe('"list";q=30;w=30, "account";q=1200;w=60');
    await send(limits, policies.listObjects, 30);
    const refused = response();
    await expect(limits.admit(refused, { buckets: bucketsOf(policies.listObjects, counted()) })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    expect(refused.getHeader('RateLimit')).toBe('"list";r=0;t=30, "account";r=1170;t=60');
  });

  it('sets no headers when nothing is limited', async () => {
    const { limits } = await open();
    const res = response();
    await limits.admit(res, { buckets: bucketsOf(policies.getLiveness, counted({ account: undefined })) });
    expect(res.getHeaderNames()).toEqual([]);
  });

  it('rounds the time to wait up and never to 0', async () => {
    const { limits, clock } = await open();
    await send(limits, policies.uploadObject, 1, { account: account('hobby') });
    clock.advance(999);
    expect((await send(limits, policies.uploadObject, 1, { account: account('hobby') })).refusal).toMatchObject({
      retryAfterSeconds: 1,
    });
  });
});

describe('RequestLimits.countFailure()', () => {
  it('blocks an address for five minutes after 30 failed credentials in a minute', async () => {
    const { limits, clock } = await open();
    for (let count = 0; count < 30; count++) await limits.countFailure('192.0.2.1');
    await limits.refuseBlocked('192.0.2.1');
    await expect(limits.countFailure('192.0.2.1')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 300,
    });
    clock.advance(299_999);
    await expect(limits.refuseBlocked('192.0.2.1')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 1,
    });
    await limits.refuseBlocked('192.0.2.2');
    clock.advance(1);
    await limits.refuseBlocked('192.0.2.1');
  });

  it('forgets failures after a minute', async () => {
    const { limits, clock } = await open();
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 30; count++) await limits.countFailure('192.0.2.1');
      clock.advance(60_000);
    }
    await limits.refuseBlocked('192.0.2.1');
  });
});

const uploadSlot = ({ id }: Account) => slotOf(policies.uploadObject, { ownerId: id }, true);

describe('RequestLimits.admit() with a slot', () => {
  it('allows an account four concurrent uploads', async () => {
    const { limits } = await open();
    const leaves = await Promise.all(Array.from({ length: 4 }, () => enter(limits, uploadSlot(account()))));
    await expect(enter(limits, uploadSlot(account()))).rejects.toMatchObject({
      code: 'TOO_MANY_CONCURRENT_UPLOADS',
      retryAfterSeconds: 1,
    });
    await enter(limits, uploadSlot(account('pro', '1')));
    leaves[0]!();
    await enter(limits, uploadSlot(account()));
  });

  it('keeps a slot while its request runs, even longer than its lease', async () => {
    vi.useFakeTimers();
    try {
      const { limits, clock } = await open();
      const slot = { ...uploadSlot(account())!, limit: 1 };
      const leave = await enter(limits, slot);
      for (let passed = 0; passed < 3 * slotLeaseMs; passed += slotLeaseMs / 3) {
        clock.advance(slotLeaseMs / 3);
        await vi.advanceTimersByTimeAsync(slotLeaseMs / 3);
      }
      await expect(enter(limits, slot)).rejects.toThrow(Refusal);
      // Other parts of the process may have timers too.
      const timers = vi.getTimerCount();
      leave();
      leave();
      expect(vi.getTimerCount()).toBe(timers - 1);
      (await enter(limits, slot))();
    } finally {
      vi.useRealTimers();
    }
  });

  it('limits nothing when the contract names no limit', async () => {
    const { limits } = await open();
    for (let count = 0; count < 50; count++)
      await enter(limits, slotOf(policies.getStats, { ownerId: account().id }, true));
  });
});

describe('RequestLimits', () => {
  it('lets all requests pass and sets no headers when limits are off', async () => {
    const { limits } = await open({ isOn: false });
    const res = response();
    for (let count = 0; count < 50; count++) {
      await limits.admit(res, { buckets: bucketsOf(policies.getS3Credentials, counted()) });
      await limits.countFailure('192.0.2.1');
      await enter(limits, uploadSlot(account()));
    }
    await limits.refuseBlocked('192.0.2.1');
    expect(res.getHeaderNames()).toEqual([]);
  });
});
