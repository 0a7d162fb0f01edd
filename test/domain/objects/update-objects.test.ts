import { describe, expect, it } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import type { ObjectAddress } from '#server/domain/objects/id.ts';
import { updateObjects, type ObjectChanges } from '#server/domain/objects/update-objects.ts';
import { CdnUnavailable } from '#server/domain/ports/cdn.ts';
import { openTestStores } from '#test/support/stores.ts';
import { store } from './stored.ts';

const nothing: ObjectChanges = { isPrivate: undefined, expire: undefined, cacheControl: undefined, disposition: undefined, metadata: undefined };

/** A public file behind a CDN that does not agree to drop it, and what happens while it is asked. */
async function hide(meanwhile: (update: (address: ObjectAddress, changes: Partial<ObjectChanges>) => Promise<unknown>, address: ObjectAddress) => Promise<unknown> = async () => {}) {
  const stores = await openTestStores();
  const account = await stores.account();
  const file = await store(stores, { accountId: account.id, key: 'a_abcdefghijklmnop.png' });
  const hidden = { ...file, space: 'private' } as const;
  const update = async (address: ObjectAddress, changes: Partial<ObjectChanges>) => {
    const purge = async () => {
      await meanwhile(update, hidden);
      throw new CdnUnavailable('no');
    };
    const deps = { ...stores, cdn: { purge }, publicUrl: () => 'https://public.example/a' };
    return (await updateObjects(deps, { account, addresses: [address], changes: { ...nothing, ...changes }, actor: systemActor }))[0];
  };
  const outcome = await update(file, { isPrivate: true });
  const { objects } = stores.metadata.read;
  return { file, outcome, shown: await objects.find(file), hidden: await objects.find(hidden) };
}

describe('updateObjects() behind a CDN that fails', () => {
  it('answers VISIBILITY_CHANGE_FAILED and leaves the file public, as it was', async () => {
    const { file, outcome, shown, hidden } = await hide();
    expect(outcome).toEqual({ ok: false, code: 'VISIBILITY_CHANGE_FAILED' });
    expect([shown, hidden]).toEqual([file, undefined]);
  });

  it('keeps what another request has changed meanwhile', async () => {
    const { outcome, shown, hidden } = await hide((update, address) => update(address, { disposition: 'attachment', metadata: { a: 'x' } }));
    expect(outcome).toEqual({ ok: false, code: 'VISIBILITY_CHANGE_FAILED' });
    expect(shown).toBeUndefined();
    expect(hidden).toMatchObject({ disposition: 'attachment', metadata: { a: 'x' } });
  });
});
