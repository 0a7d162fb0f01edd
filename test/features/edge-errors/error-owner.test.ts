import { expect, it } from 'vitest';

import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { linkErrorOwner, publicErrorOwner } from '#server/features/edge-errors/error-owner.ts';
import { requestLinkOwner } from '#server/features/file-requests/link-owner.ts';
import { linkHash } from '#server/features/file-requests/link.ts';
import { downloadLinkOwner } from '#server/features/files/link-owner.ts';
import { shareLinkOwner } from '#server/features/shares/link-owner.ts';
import { shareIdHash } from '#server/features/shares/share-id.ts';
import { masterSecrets } from '#server/stores/system/secrets.ts';

const accountId = '204815162342108999';
const secrets = masterSecrets(Buffer.alloc(32, 7));
const [share, request] = [`share ${shareIdHash(secrets, 'name')}`, `request ${linkHash(secrets, 'name')}`];
const deps = { metadata: {} as Metadata, secrets: secrets as Secrets };
const finders = [downloadLinkOwner, shareLinkOwner, requestLinkOwner].map((linkOwner) => linkOwner(deps));

it.each([
  [`/${accountId}/a.png?x`, { owner: { accountId }, path: '/:id/a.png' }],
  [`http://example.com:80/${accountId}/a.png`, { owner: { accountId }, path: '/:id/a.png' }],
  [`/x/${accountId}/a.png`, undefined],
  ['/123/a.png', undefined],
])('publicErrorOwner() finds the owner of %s', (target, owned) => {
  expect(publicErrorOwner(target)).toEqual(owned);
});

it.each([
  ['/s/name?x', share, '/s/:id'],
  ['/s/name/', share, '/s/:id'],
  ['https://example.com/s/name', share, '/s/:id'],
  ['/r/name', request, '/r/:id'],
  ['/r/name/', request, '/r/:id'],
  ['/r/name/sent?x', request, '/r/:id'],
])('linkErrorOwner() finds the owner of %s', (target, key, path) => {
  expect(linkErrorOwner(finders, target)).toEqual({ owner: { key, account: expect.any(Function) }, path });
});

it.each(['/s/name/more', '/r/name/other', '/d/forged', '/', '/s/'])(
  'linkErrorOwner() finds no owner of %s',
  (target) => {
    expect(linkErrorOwner(finders, target)).toBeUndefined();
  },
);
