import { describe, expect, it } from 'vitest';

import { createKey } from '#server/domain/access/create-key.ts';
import { signIn } from '#server/domain/access/sign-in.ts';
import { decideDevice } from '#server/features/devices/decide-device.ts';
import {
  deviceStates,
  deviceTransitions,
  stateAt,
  type DeviceEvent,
  type DeviceState,
} from '#server/features/devices/device-request.ts';
import { jobs } from '#server/jobs/jobs.ts';
import { lookUpDevice } from '#server/features/devices/look-up-device.ts';
import { pollDeviceToken } from '#server/features/devices/poll-device-token.ts';
import { requestDeviceCode } from '#server/features/devices/request-device-code.ts';
import { openTestStores, type TestStores } from '#test/support/stores.ts';
import { asker } from '#test/domain/access/asker.ts';

const lifetimeMs = 900_000;

interface Attempt {
  readonly stores: TestStores;
  readonly deviceCode: string;
  readonly userCode: string;
  readonly sessionToken: string;
}

/** Makes a request in its first state, and a person who may decide it. */
async function attemptOf(): Promise<Attempt> {
  const stores = await openTestStores();
  const { id: accountId } = await stores.account();
  const { credential } = await createKey(stores, { accountId, name: 'full', scopes: ['*'] });
  const { token: sessionToken } = await signIn(stores, credential, '203.0.113.24');
  const codes = await requestDeviceCode(stores, { clientName: 'CLI', scopes: ['blob:read'], sourceIp: '203.0.113.24' });
  return { stores, ...codes, sessionToken };
}

const actor = asker('any').actor;
const events: Readonly<Record<DeviceEvent, (attempt: Attempt) => Promise<unknown>>> = {
  approve: ({ stores, sessionToken, userCode }) =>
    decideDevice(stores, { event: 'approve', sessionToken, userCode, actor }),
  refuse: ({ stores, sessionToken, userCode }) =>
    decideDevice(stores, { event: 'refuse', sessionToken, userCode, actor }),
  fetch: ({ stores, deviceCode }) => pollDeviceToken(stores, deviceCode),
  expire: async ({ stores }) => stores.clock.advance(lifetimeMs),
};

/** The events that lead to each state. */
const ways: Readonly<Record<DeviceState, readonly DeviceEvent[]>> = {
  pending: [],
  approved: ['approve'],
  refused: ['refuse'],
  spent: ['approve', 'fetch'],
  expired: ['expire'],
};

/** The response to the client in each state. */
const told: Readonly<Record<DeviceState, string>> = {
  pending: 'authorization_pending',
  approved: 'the key',
  refused: 'access_denied',
  spent: 'invalid_grant',
  expired: 'expired_token',
};

async function stateOf({ stores, deviceCode }: Attempt): Promise<DeviceState> {
  const hash = stores.secrets.credentialHash(`device-code:${deviceCode}`);
  return stores.metadata.atomically(async (tx) => stateAt((await tx.deviceRequests.findByDeviceCode(hash))!, tx.now));
}

/**
 * Written out, and not read from the table that it proves. The last column is the next state, or `undefined` if the
 * event changes nothing.
 */
const rows: ReadonlyArray<readonly [DeviceState, DeviceEvent, DeviceState | undefined]> = [
  ['pending', 'approve', 'approved'],
  ['pending', 'refuse', 'refused'],
  ['pending', 'fetch', undefined],
  ['pending', 'expire', 'expired'],
  ['approved', 'approve', undefined],
  ['approved', 'refuse', undefined],
  ['approved', 'fetch', 'spent'],
  ['approved', 'expire', 'expired'],
  ['refused', 'approve', undefined],
  ['refused', 'refuse', undefined],
  ['refused', 'fetch', undefined],
  ['refused', 'expire', undefined],
  ['spent', 'approve', undefined],
  ['spent', 'refuse', undefined],
  ['spent', 'fetch', undefined],
  ['spent', 'expire', undefined],
  ['expired', 'approve', undefined],
  ['expired', 'refuse', undefined],
  ['expired', 'fetch', undefined],
  ['expired', 'expire', undefined],
];

describe('a request for a key', () => {
  it('has a row for every state and event', () => {
    expect(rows.map(([state, event]) => `${state} ${event}`)).toEqual(
      deviceStates.flatMap((state) => Object.keys(events).map((event) => `${state} ${event}`)),
    );
    for (const [state, event, next] of rows) expect(deviceTransitions[state][event]).toBe(next);
  });

  it.each(rows)('that is %s: %s leads to %s', async (state, event, next) => {
    const attempt = await attemptOf();
    for (const step of ways[state]) await events[step](attempt);
    expect(await stateOf(attempt)).toBe(state);
    const outcome = await events[event](attempt).then(
      () => 'done',
      (error: { code?: string }) => error.code ?? error,
    );
    if (event === 'approve' || event === 'refuse') expect(outcome).toBe(next ? 'done' : 'INVALID_USER_CODE');
    if (event === 'fetch') expect(outcome).toBe(next ? 'done' : told[state]);
    expect(await stateOf(attempt)).toBe(next ?? state);
  });

  it('that was approved and not fetched in time returns expired_token to its client', async () => {
    const attempt = await attemptOf();
    await events.approve(attempt);
    await events.expire(attempt);
    await expect(events.fetch(attempt)).rejects.toMatchObject({ code: 'expired_token' });
  });

  it.each(deviceStates)('that is %s returns its state to its client', async (state) => {
    const attempt = await attemptOf();
    for (const step of ways[state]) await events[step](attempt);
    const outcome = await pollDeviceToken(attempt.stores, attempt.deviceCode).then(
      () => 'the key',
      ({ code }: { code: string }) => code,
    );
    expect(outcome).toBe(told[state]);
  });

  it('expires to the millisecond', () => {
    const request = { state: 'pending', expiresAt: 1000 } as const;
    expect([stateAt(request, 999), stateAt(request, 1000)]).toEqual(['pending', 'expired']);
  });

  it('is forgotten a day after it expired, together with ended sessions', async () => {
    const attempt = await attemptOf();
    const { stores, deviceCode } = attempt;
    stores.clock.advance(lifetimeMs + 86_400_000 - 1);
    const deps = { ...stores, eventsKeptMs: 0, aiRequestsKeptMs: 0 };
    const forgetCodes = () => jobs['forget-codes'].run(deps, stores.clock.now());
    // The session is over after an hour.
    expect(await forgetCodes()).toBe(1);
    await expect(pollDeviceToken(stores, deviceCode)).rejects.toMatchObject({ code: 'expired_token' });
    stores.clock.advance(1);
    expect(await forgetCodes()).toBe(1);
    expect(await forgetCodes()).toBe(0);
    await expect(pollDeviceToken(stores, deviceCode)).rejects.toMatchObject({ code: 'invalid_grant' });
  });
});

describe('pollDeviceToken()', () => {
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'the key',
      ({ code }: { code: string }) => code,
    );

  it('throws slow_down when it is called before the interval is over, and adds 5 seconds to it each time', async () => {
    const { stores, deviceCode } = await attemptOf();
    const pollAfter = async (ms: number) => (stores.clock.advance(ms), codeOf(pollDeviceToken(stores, deviceCode)));
    expect(await pollAfter(0)).toBe('authorization_pending');
    expect(await pollAfter(5000)).toBe('authorization_pending');
    expect(await pollAfter(4999)).toBe('slow_down');
    expect(await pollAfter(5000)).toBe('slow_down');
    expect(await pollAfter(14_999)).toBe('slow_down');
    expect(await pollAfter(20_000)).toBe('authorization_pending');
    expect(await pollAfter(20_000)).toBe('authorization_pending');
    expect(await pollAfter(19_999)).toBe('slow_down');
  });

  it('returns the key at once, however soon it is called', async () => {
    const attempt = await attemptOf();
    expect(await codeOf(pollDeviceToken(attempt.stores, attempt.deviceCode))).toBe('authorization_pending');
    await events.approve(attempt);
    expect(await codeOf(pollDeviceToken(attempt.stores, attempt.deviceCode))).toBe('the key');
  });

  it('throws authorization_pending, and not slow_down, after the clock was put back', async () => {
    const { stores, deviceCode } = await attemptOf();
    await codeOf(pollDeviceToken(stores, deviceCode));
    stores.clock.advance(-60_000);
    expect(await codeOf(pollDeviceToken(stores, deviceCode))).toBe('authorization_pending');
  });

  it('throws invalid_grant for a user code, and lookUpDevice() INVALID_USER_CODE for a device code', async () => {
    const { stores, deviceCode, userCode, sessionToken } = await attemptOf();
    expect(await codeOf(pollDeviceToken(stores, userCode))).toBe('invalid_grant');
    expect(await codeOf(lookUpDevice(stores, { sessionToken, userCode: deviceCode }))).toBe('INVALID_USER_CODE');
  });
});

describe('requestDeviceCode()', () => {
  it('chooses another user code when one is taken', async () => {
    const stores = await openTestStores();
    const letters = ['BBBBBBBB', 'BBBBBBBB', 'CCCCCCCC'];
    const ids = { ...stores.ids, lettersOf: () => letters.shift()! };
    const ask = () =>
      requestDeviceCode({ ...stores, ids }, { clientName: 'CLI', scopes: ['blob:read'], sourceIp: '::1' });
    expect([(await ask()).userCode, (await ask()).userCode]).toEqual(['BBBB-BBBB', 'CCCC-CCCC']);
  });
});

describe('signIn()', () => {
  it('throws MISSING_SCOPE without full access, and ACCESS_DENIED for a text that is not a key', async () => {
    const stores = await openTestStores();
    const { id: accountId } = await stores.account();
    const { credential } = await createKey(stores, {
      accountId,
      name: 'x',
      scopes: ['blob:read', 'workspaces:manage'],
    });
    await expect(signIn(stores, credential, '203.0.113.24')).rejects.toMatchObject({ code: 'MISSING_SCOPE' });
    for (const none of [undefined, '', 'cbk_x', `${credential}x`])
      await expect(signIn(stores, none, '203.0.113.24')).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });
});
