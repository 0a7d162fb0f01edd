import { describe, expect, it } from 'vitest';

import { createAccount } from '#server/domain/access/create-account.ts';
import { builtInAppId } from '#server/features/apps/app.ts';
import { storedErrors } from '#test/support/edge-errors.ts';
import type { PathOwner } from '#server/domain/ports/owned-path.ts';
import { DoorErrors } from '#server/features/edge-errors/door-errors.ts';
import { overTransactions } from '#server/domain/ports/decorated.ts';
import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { openTestStores } from '#test/support/stores.ts';

async function open() {
  const stores = await openTestStores();
  const { accountId } = await createAccount(stores, { name: 'a', plan: 'pro' });
  const total = async () => {
    const rows = await storedErrors(stores.metadata, builtInAppId(accountId));
    return rows.reduce((sum, { count }) => sum + count, 0);
  };
  return { stores, accountId, total };
}

function guessedLink(number: number): PathOwner {
  return { key: `guess ${number}`, account: async () => undefined };
}

describe('DoorErrors', () => {
  it('keeps errors that could not be stored, and stores them once later', async () => {
    const { stores, accountId, total } = await open();
    let isDown = true;
    let tries = 0;
    const metadata = {
      read: stores.metadata.read,
      atomically: ((work) =>
        isDown && ++tries > 1
          ? Promise.reject(new Error('down'))
          : stores.metadata.atomically(work)) as typeof stores.metadata.atomically,
    };
    const errors = new DoorErrors({ metadata, onWaiting: () => {} });
    for (let path = 0; path < 1200; path++)
      errors.note({ owner: { accountId }, at: (path % 600) * 1000, status: 404, method: 'GET', path: '/a' });
    await expect(errors.store()).rejects.toThrow('down');
    isDown = false;
    expect(await errors.store()).toBe(0);
    expect(await total()).toBe(1200);
    expect(await errors.store()).toBe(0);
    expect(await total()).toBe(1200);
  });

  it('holds at most a thousand kinds of an account, and reports how many errors it left out', async () => {
    const { stores, accountId, total } = await open();
    let waiting = 0;
    const errors = new DoorErrors({ metadata: stores.metadata, onWaiting: () => void waiting++ });
    for (let second = 0; second < 1007; second++)
      errors.note({ owner: { accountId }, at: second * 1000, status: 404, method: 'GET', path: '/a' });
    for (let again = 0; again < 5; again++)
      errors.note({ owner: { accountId }, at: again * 1000, status: 404, method: 'GET', path: '/a' });
    expect(waiting).toBe(1005);
    expect(await errors.store()).toBe(7);
    expect(await total()).toBe(1005);
  });

  it('counts the errors of a known account beside any number of invented ones, which cost no transaction', async () => {
    const { stores, accountId, total } = await open();
    let transactions = 0;
    const metadata = {
      read: stores.metadata.read,
      atomically: ((work) => (transactions++, stores.metadata.atomically(work))) as typeof stores.metadata.atomically,
    };
    const errors = new DoorErrors({ metadata, onWaiting: () => {} });
    const note = (owner: PathOwner, at = 0) => errors.note({ owner, at, status: 404, method: 'GET', path: '/a' });
    note({ accountId });
    await errors.store();
    for (let guess = 0; guess < 12_000; guess++)
      note(guess % 2 ? { accountId: `9${String(guess).padStart(17, '0')}` } : guessedLink(guess));
    for (let second = 1; second <= 500; second++) note({ accountId }, second * 1000);
    expect(await errors.store()).toBe(10_000);
    expect(await total()).toBe(501);
    expect(transactions).toBe(1 + 2);
  });

  it('stores the errors of several accounts in one transaction, and the others when one fails', async () => {
    const { stores, accountId, total } = await open();
    const { accountId: failing } = await createAccount(stores, { name: 'b', plan: 'pro' });
    let isFailing = true;
    let transactions = 0;
    const metadata = overTransactions(stores.metadata, ({ edgeErrors }) => {
      transactions++;
      return {
        edgeErrors: {
          ...edgeErrors,
          add: (appId, counts) =>
            isFailing && appId === builtInAppId(failing)
              ? Promise.reject(new Error('odd'))
              : edgeErrors.add(appId, counts),
        },
      };
    });
    const errors = new DoorErrors({ metadata, onWaiting: () => {} });
    for (const one of [failing, accountId])
      errors.note({ owner: { accountId: one }, at: 0, status: 404, method: 'GET', path: '/a' });
    await expect(errors.store()).rejects.toThrow('odd');
    expect(await total()).toBe(1);
    isFailing = false;
    transactions = 0;
    errors.note({ owner: { accountId }, at: 0, status: 404, method: 'GET', path: '/a' });
    await errors.store();
    expect([transactions, await total()]).toEqual([1, 2]);
    expect(await storedErrors(stores.metadata, builtInAppId(failing))).toMatchObject([{ count: 1 }]);
  });

  it('does not try further errors while the database is down', async () => {
    const { stores, accountId } = await open();
    let tries = 0;
    const atomically = () => (tries++, Promise.reject(new MetadataUnavailable('down', undefined)));
    const errors = new DoorErrors({ metadata: { read: stores.metadata.read, atomically }, onWaiting: () => {} });
    for (let second = 0; second < 1000; second++)
      errors.note({ owner: { accountId }, at: second * 1000, status: 404, method: 'GET', path: '/a' });
    await expect(errors.store()).rejects.toThrow('down');
    expect(tries).toBe(1);
  });

  it('keeps the paths of 10 kinds a second and 60 a minute, and counts each error', async () => {
    const { stores, accountId } = await open();
    const errors = new DoorErrors({ metadata: stores.metadata, onWaiting: () => {} });
    for (let second = 0; second < 70; second++) {
      for (let path = 0; path < 12; path++)
        errors.note({
          owner: { accountId },
          at: second * 1000,
          status: 404,
          method: 'GET',
          path: `/${second}-${path}`,
        });
      errors.note({ owner: { accountId }, at: second * 1000, status: 404, method: 'GET', path: '/0-0' });
    }
    expect(await errors.store()).toBe(0);
    const namesIn = async (resolution: number, at: number) =>
      (await storedErrors(stores.metadata, builtInAppId(accountId), { resolution, from: at, until: at + 1 }))
        .map(({ path }) => path)
        .filter((path) => path !== '__other__').length;
    expect([
      await namesIn(0, 0),
      await namesIn(0, 1),
      await namesIn(0, 59),
      await namesIn(0, 60),
      await namesIn(1, 0),
    ]).toEqual([10, 10, 1, 10, 60]);
    const rows = await storedErrors(stores.metadata, builtInAppId(accountId));
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(70 * 13);
  });

  it('drops errors of unknown accounts and links', async () => {
    const { stores } = await open();
    const errors = new DoorErrors({ metadata: stores.metadata, onWaiting: () => {} });
    errors.note({ owner: { accountId: '999999999999999999' }, at: 0, status: 404, method: 'GET', path: '/' });
    errors.note({ owner: guessedLink(0), at: 0, status: 404, method: 'GET', path: '/s/:id' });
    expect(await errors.store()).toBe(0);
    expect(await stores.stored('SELECT * FROM edge_errors')).toEqual([]);
  });
});
