import { describe, expect, it } from 'vitest';

import { generationAt } from '#server/features/files/generation.ts';
import type { StoredObject } from '#server/features/files/object.ts';

const address = { accountId: '204815162342108999', space: 'public', key: 'a.png' } as const;
const before = { ...address, generation: 'old', expiresAt: 1000 } as StoredObject;
const ids = { nameHash: () => 'new' };

describe('generationAt()', () => {
  it.each([
    ['stays for the same file', before, address, 999, 'old'],
    ['is new at a free address', undefined, address, 999, 'new'],
    ['is new at another key', before, { ...address, key: 'b.png' }, 999, 'new'],
    ['is new in another space', before, { ...address, space: 'private' }, 999, 'new'],
    ['is new at the address of an expired file that is not deleted yet', before, address, 1000, 'new'],
  ] as const)('%s', (_, file, at, now, generation) => {
    expect(generationAt(ids, at, file, now)).toBe(generation);
  });
});
