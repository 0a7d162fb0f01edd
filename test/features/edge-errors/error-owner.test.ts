import { expect, it } from 'vitest';

import type { FindLinkOwner } from '#server/domain/ports/owned-path.ts';
import { linkErrorOwner, publicErrorOwner } from '#server/features/edge-errors/error-owner.ts';

const accountId = '204815162342108999';

/** Finds links below a folder, as features find their own. */
const below =
  (folder: string): FindLinkOwner =>
  (path) =>
    path.startsWith(folder)
      ? { owner: { key: path, account: async () => accountId }, path: `${folder}:id` }
      : undefined;
const finders = [below('/first/'), below('/second/')];

it.each([
  [`/${accountId}/a.png?x`, { owner: { accountId }, path: '/:id/a.png' }],
  [`http://example.com:80/${accountId}/a.png`, { owner: { accountId }, path: '/:id/a.png' }],
  [`/x/${accountId}/a.png`, undefined],
  ['/123/a.png', undefined],
])('publicErrorOwner() finds the owner of %s', (target, owned) => {
  expect(publicErrorOwner(target)).toEqual(owned);
});

it.each([
  ['/first/name?x', '/first/name?x', '/first/:id'],
  ['/second/name', '/second/name', '/second/:id'],
  ['https://example.com/second/name', '/second/name', '/second/:id'],
])('linkErrorOwner() finds the owner of %s', (target, key, path) => {
  expect(linkErrorOwner(finders, target)).toEqual({ owner: { key, account: expect.any(Function) }, path });
});

it('linkErrorOwner() finds no owner of another address', () => {
  expect(linkErrorOwner(finders, '/third/name')).toBeUndefined();
});
