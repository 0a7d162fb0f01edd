import { randomBytes } from 'node:crypto';

import { beforeEach, describe, expect, it } from 'vitest';

import type { DeviceDecision, DeviceRequest } from '#server/features/devices/device-request.ts';
import { accountId, key } from './rows.ts';
import type { StoreInTest } from './store-in-test.ts';

/** The table of device requests. */
export function deviceRequestsConformance(store: StoreInTest): void {
  const { name, write } = store;

  describe(`${name}: requests for keys`, () => {
    const request: DeviceRequest = {
      clientName: 'CLI ☁',
      scopes: ['blob:read', 'ai:chat'],
      sourceIp: '2001:db8::1',
      state: 'pending',
      decision: null,
      createdAt: 1000,
      expiresAt: 5000,
    };
    const hashes = { deviceCode: Buffer.from('device'), userCode: Buffer.from('user'), intervalMs: 500 };
    const decision: DeviceDecision = {
      accountId,
      keyId: key.id,
      actor: { sourceIp: '203.0.113.7', userAgent: 'Browser/1', auth: 'api_key' },
    };
    const add = (more: Partial<typeof hashes> = {}, of: Partial<DeviceRequest> = {}) =>
      write((tx) => tx.deviceRequests.add({ ...request, ...of }, { ...hashes, ...more }));
    const find = () => write((tx) => tx.deviceRequests.findByDeviceCode(hashes.deviceCode));
    const decide = (event: 'approve' | 'refuse', now = 4999) =>
      write((tx) => tx.deviceRequests.decide(hashes.userCode, event, decision, now));

    beforeEach(() => write((tx) => tx.apiKeys.add(key, randomBytes(32))));

    it('are found by their codes, and by the user code only while they are pending', async () => {
      expect(await add()).toBe(true);
      expect(await find()).toEqual(request);
      expect(await write((tx) => tx.deviceRequests.findByDeviceCode(hashes.userCode))).toBeUndefined();
      const pending = (now: number, hash = hashes.userCode) => write((tx) => tx.deviceRequests.findPending(hash, now));
      expect(await pending(4999)).toEqual(request);
      expect(await pending(5000)).toBeUndefined();
      expect(await pending(4999, hashes.deviceCode)).toBeUndefined();
      await decide('refuse');
      expect(await pending(4999)).toBeUndefined();
    });

    it('are not stored under a user code that another request has', async () => {
      await add();
      expect(await add({ deviceCode: Buffer.from('second') })).toBe(false);
      expect(await write((tx) => tx.deviceRequests.findByDeviceCode(Buffer.from('second')))).toBeUndefined();
      expect(await find()).toEqual(request);
    });

    it('are decided only once before they expire', async () => {
      await add();
      expect(await decide('approve', 5000)).toBeUndefined();
      const decided = await Promise.all([decide('approve'), decide('refuse'), decide('approve')]);
      expect(decided).toEqual([{ ...request, state: 'approved', decision }, undefined, undefined]);
      expect(await find()).toEqual({ ...request, state: 'approved', decision });
    });

    it('are spent only once, after the approval and before they expire', async () => {
      await add();
      const spend = (now = 4999) => write((tx) => tx.deviceRequests.spend(hashes.deviceCode, now));
      expect(await spend()).toBeUndefined();
      await decide('approve');
      expect(await spend(5000)).toBeUndefined();
      const spent = await Promise.all([spend(), spend()]);
      expect(spent).toEqual([{ ...request, state: 'spent', decision }, undefined]);
      expect(await decide('refuse')).toBeUndefined();
    });

    it('report polls that come too soon, and increase the interval', async () => {
      await add();
      const poll = (now: number) => write((tx) => tx.deviceRequests.notePoll(hashes.deviceCode, now, 100));
      const paces = [];
      for (const at of [1000, 1500, 1999, 2599, 3398, 4198]) paces.push(await poll(at));
      expect(paces).toEqual(['in-time', 'in-time', 'too-soon', 'in-time', 'in-time', 'in-time']);
      expect(await poll(4797)).toBe('too-soon');
      expect(await poll(100)).toBe('in-time');
    });

    it('are removed by age, up to the limit', async () => {
      for (const at of [1, 2, 3])
        await add({ deviceCode: Buffer.from([at]), userCode: Buffer.from([at]) }, { expiresAt: at * 1000 });
      expect(await write((tx) => tx.deviceRequests.forgetBefore(2000, 1))).toBe(1);
      expect(await write((tx) => tx.deviceRequests.findByDeviceCode(Buffer.from([1])))).toBeUndefined();
      expect(await write((tx) => tx.deviceRequests.forgetBefore(2000, 9))).toBe(1);
      expect(await write((tx) => tx.deviceRequests.forgetBefore(2999, 9))).toBe(0);
    });
  });
}
