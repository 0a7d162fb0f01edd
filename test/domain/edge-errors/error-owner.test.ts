import { expect, it } from 'vitest';

import { linkErrorOwner, publicErrorOwner } from '#server/domain/edge-errors/error-owner.ts';

const accountId = '204815162342108999';
const secrets = { verify: () => false } as unknown as Parameters<typeof linkErrorOwner>[0]['secrets'];

it.each([
  [`/${accountId}/a.png?x`, { owner: { accountId }, path: '/:id/a.png' }],
  [`http://example.com:80/${accountId}/a.png`, { owner: { accountId }, path: '/:id/a.png' }],
  [`/x/${accountId}/a.png`, undefined],
  ['/123/a.png', undefined],
])('publicErrorOwner() knows whose %s is', (target, owned) => {
  expect(publicErrorOwner(target)).toEqual(owned);
});

it.each([
  ['/s/name?x', { owner: { shareId: 'name' }, path: '/s/:id' }],
  ['https://example.com/s/name', { owner: { shareId: 'name' }, path: '/s/:id' }],
  ['/s/name/more', undefined],
  ['/d/forged', undefined],
])('linkErrorOwner() knows whose %s is', (target, owned) => {
  expect(linkErrorOwner({ secrets }, target)).toEqual(owned);
});
