import { expect, it } from 'vitest';

import type { Metadata } from '#server/domain/ports/metadata.ts';
import { shareLinkOwner } from '#server/features/shares/link-owner.ts';
import { shareIdHash } from '#server/features/shares/share-id.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';

const secrets = masterSecrets(Buffer.alloc(32, 7));
const find = shareLinkOwner({ metadata: {} as Metadata, secrets });

it.each(['/s/name', '/s/name?x', '/s/name/'])('shareLinkOwner() finds the owner of %s', (path) => {
  const key = `share ${shareIdHash(secrets, 'name')}`;
  expect(find(path)).toEqual({ owner: { key, account: expect.any(Function) }, path: '/s/:id' });
});

it.each(['/s/name/more', '/r/name', '/s/', '/'])('shareLinkOwner() finds no owner of %s', (path) => {
  expect(find(path)).toBeUndefined();
});
