import { describe, expect, it } from 'vitest';

import type { StoredObject } from '#server/features/files/object.ts';
import {
  shareRefusals,
  shareTransitions,
  stateOf,
  type Share,
  type ShareEvent,
  type ShareState,
} from '#server/features/shares/share.ts';

const now = 1_000_000;
const share: Share = {
  idHash: 'a',
  sealedId: 's',
  object: { accountId: '204815162342108999', space: 'private', key: 'a.pdf' },
  generation: 'first',
  bundle: null,
  fileCount: null,
  createdAt: 0,
  expiresAt: now + 1,
  maxDownloads: 2,
  remainingDownloads: 2,
  passwordHash: null,
  hasLanding: false,
  title: null,
  message: null,
  downloads: 0,
  revokedAt: null,
};
const object = { generation: 'first', expiresAt: null } as StoredObject;

describe('a link', () => {
  // Each event in each state, the next state, and the code of its refusal.
  const rows: ReadonlyArray<readonly [ShareState, ShareEvent, ShareState, string | undefined]> = [
    ['active', 'spend', 'active', undefined],
    ['active', 'spend the last', 'exhausted', 'SHARE_EXHAUSTED'],
    ['active', 'revoke', 'revoked', 'SHARE_NOT_FOUND'],
    ['active', 'expire', 'expired', 'SHARE_EXPIRED'],
    ['active', 'lose the file', 'gone', 'SHARE_NOT_FOUND'],
  ];
  it.each(rows)('in the state %s, on "%s", becomes %s and is refused with %s', (state, event, next, code) => {
    expect(shareTransitions[state][event]).toBe(next);
    expect(shareRefusals[next]).toBe(code);
  });

  it.each(['revoked', 'expired', 'gone'] as const)('that is %s stays so', (state) =>
    expect(shareTransitions[state]).toEqual({}),
  );

  it('that is exhausted is active again after a returned download or a higher cap, and ends like an active one', () => {
    expect(shareTransitions.exhausted).toEqual({
      'give back': 'active',
      'raise the cap': 'active',
      revoke: 'revoked',
      expire: 'expired',
      'lose the file': 'gone',
    });
  });

  const standing: ReadonlyArray<readonly [string, Partial<Share>, StoredObject | undefined, ShareState]> = [
    ['as it was made', {}, object, 'active'],
    ['without a cap', { maxDownloads: null, remainingDownloads: null }, object, 'active'],
    ['with nothing left', { remainingDownloads: 0 }, object, 'exhausted'],
    ['at its end', { expiresAt: now }, object, 'expired'],
    ['with nothing left, at its end', { remainingDownloads: 0, expiresAt: now }, object, 'expired'],
    ['without its file', {}, undefined, 'gone'],
    ['with another file at its address', {}, { ...object, generation: 'second' }, 'gone'],
    ['with a file that has expired', {}, { ...object, expiresAt: now }, 'gone'],
    ['without its file, at its end', { expiresAt: now }, undefined, 'gone'],
    ['revoked, at its end and without its file', { revokedAt: 1, expiresAt: now }, undefined, 'revoked'],
  ];
  it.each(standing)('%s has the expected state: %#', (_, change, there, state) =>
    expect(stateOf({ ...share, ...change }, there, now)).toBe(state),
  );
});
