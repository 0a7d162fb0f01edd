import { expect, it } from 'vitest';

import type { Metadata } from '#server/domain/ports/metadata.ts';
import { requestLinkOwner } from '#server/features/file-requests/link-owner.ts';
import { linkHash } from '#server/features/file-requests/link.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';

const secrets = masterSecrets(Buffer.alloc(32, 7));
const find = requestLinkOwner({ metadata: {} as Metadata, secrets });

it.each(['/r/name', '/r/name/', '/r/name/sent?x'])('requestLinkOwner() finds the owner of %s', (path) => {
  const key = `request ${linkHash(secrets, 'name')}`;
  expect(find(path)).toEqual({ owner: { key, account: expect.any(Function) }, path: '/r/:id' });
});

it.each(['/r/name/other', '/s/name', '/r/', '/'])('requestLinkOwner() finds no owner of %s', (path) => {
  expect(find(path)).toBeUndefined();
});
