import { expect, it } from 'vitest';

import { linkErrorOwner, publicErrorOwner } from '#server/features/edge-errors/error-owner.ts';
import { linkHash } from '#server/features/file-requests/link.ts';
import { shareIdHash } from '#server/features/shares/share-id.ts';
import { masterSecrets } from '#server/stores/system/secrets.ts';

const accountId = '204815162342108999';
const secrets = masterSecrets(Buffer.alloc(32, 7));
const requestHashOfName = linkHash(secrets, 'name');
const shareIdHashOfName = shareIdHash(secrets, 'name');

it.each([
  [`/${accountId}/a.png?x`, { owner: { accountId }, path: '/:id/a.png' }],
  [`http://example.com:80/${accountId}/a.png`, { owner: { accountId }, path: '/:id/a.png' }],
  [`/x/${accountId}/a.png`, undefined],
  ['/123/a.png', undefined],
])('publicErrorOwner() finds the owner of %s', (target, owned) => {
  expect(publicErrorOwner(target)).toEqual(owned);
});

it.each([
  ['/s/name?x', { owner: { shareIdHashes: [shareIdHashOfName] }, path: '/s/:id' }],
  ['https://example.com/s/name', { owner: { shareIdHashes: [shareIdHashOfName] }, path: '/s/:id' }],
  ['/s/name/more', undefined],
  ['/r/name', { owner: { requestLinkHashes: [requestHashOfName] }, path: '/r/:id' }],
  ['/r/name/sent?x', { owner: { requestLinkHashes: [requestHashOfName] }, path: '/r/:id' }],
  ['/r/name/other', undefined],
  ['/d/forged', undefined],
])('linkErrorOwner() finds the owner of %s', (target, owned) => {
  expect(linkErrorOwner({ secrets }, target)).toEqual(owned);
});
