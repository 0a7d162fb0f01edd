import { describe, expect, it } from 'vitest';

import { systemActor } from '#server/domain/activity/activity.ts';
import { formatObjectId, spaces } from '#server/domain/object-id.ts';
import type { ObjectChanges } from '#server/features/files/update/object-changes.ts';
import { updateObjects } from '#server/features/files/update/update-objects.ts';
import {
  isHidden,
  visibilityRows,
  type VisibilityEvent,
  type VisibilityRow,
} from '#server/features/files/visibility.ts';
import { isAtLeast, plans, type Plan } from '#server/domain/plan.ts';
import { openTestStores } from '#test/support/stores.ts';
import { store } from './stored.ts';

const nothing: ObjectChanges = {
  isPrivate: undefined,
  expire: undefined,
  cacheControl: undefined,
  disposition: undefined,
  metadata: undefined,
  originalName: undefined,
};

const changes: Readonly<Record<VisibilityEvent, Partial<ObjectChanges>>> = {
  'private: true': { isPrivate: true },
  'private: false': { isPrivate: false },
  expire: { expire: '30d' },
};

/** Updates a file in the state of the row, as an account on this plan. */
async function happen({ state, event }: VisibilityRow, plan: Plan) {
  const stores = await openTestStores();
  const account = await stores.account({ plan });
  const file = await store(stores, { accountId: account.id, space: state, key: 'a/photo.png' });
  const purged: string[] = [];
  const purge = async (urls: readonly string[]) => {
    // By now the public host no longer has it.
    expect(await stores.metadata.read.objects.find(file)).toBeUndefined();
    purged.push(...urls);
  };
  const deps = {
    ...stores,
    cdn: { purge },
    publicUrl: () => 'https://public.example/a/photo.png',
  };
  const [outcome] = await updateObjects(deps, {
    account,
    addresses: [file],
    changes: { ...nothing, ...changes[event] },
    actor: systemActor,
  });
  return { stores, file, outcome: outcome!, purged };
}

describe('object visibility', () => {
  it.each(visibilityRows)('$state: update with $event → $next', async (row) => {
    const { stores, file, outcome, purged } = await happen(row, row.plan ?? 'none');
    if (!outcome.ok) throw new Error(outcome.code);
    expect(outcome.object.space).toBe(row.next);
    expect(formatObjectId(outcome.object)).toMatch({ public: /^pub\//, private: /^prv\//, legacy: /^[0-9]/ }[row.next]);
    expect(await stores.metadata.read.objects.find(outcome.object)).toEqual(outcome.object);
    if (outcome.isMoved) expect(await stores.metadata.read.objects.find(file)).toBeUndefined();
    expect(outcome.isMoved).toBe(formatObjectId(outcome.object) !== formatObjectId(file));
    expect(purged).toEqual(isHidden(row.state, row.next) ? ['https://public.example/a/photo.png'] : []);
  });

  it.each(visibilityRows.filter(({ plan }) => plan !== undefined))(
    '$state: update with $event returns PERMISSION_DENIED below $plan',
    async (row) => {
      for (const plan of plans.filter((one) => !isAtLeast(one, row.plan!))) {
        const { stores, file, outcome } = await happen(row, plan);
        expect(outcome).toEqual({ ok: false, code: 'PERMISSION_DENIED' });
        expect(await stores.metadata.read.objects.find(file)).toEqual(file);
      }
    },
  );

  it('allows public to private on every plan, and private to public on an active one', () => {
    expect(visibilityRows.slice(0, 2)).toEqual([
      { state: 'public', event: 'private: true', next: 'private' },
      { state: 'private', event: 'private: false', plan: 'hobby', next: 'public' },
    ]);
  });

  it('has one row for each state and each event', () => {
    const expected = spaces.flatMap((state) => Object.keys(changes).map((event) => `${state} ${event}`));
    expect(visibilityRows.map(({ state, event }) => `${state} ${event}`).sort()).toEqual(expected.sort());
  });
});
