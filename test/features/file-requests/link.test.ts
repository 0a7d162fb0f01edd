import { expect, it } from 'vitest';

import { linkHash, openLink, renewedLink, storedLink } from '#server/features/file-requests/link.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';

const former = masterSecrets(Buffer.alloc(32, 1));
const current = masterSecrets(Buffer.alloc(32, 2));
/** While the master key is rotated, both are valid. */
const rotating = {
  ...current,
  signers: () => [current, former],
  unseal: (...sealed: Parameters<typeof current.unseal>) => current.unseal(...sealed) ?? former.unseal(...sealed),
};

it('renewedLink() stores a link under the current master key, and leaves one alone that is', () => {
  const stored = storedLink(former, 'request-1', 'secret');
  const renewed = renewedLink(rotating, { id: 'request-1', ...stored })!;
  expect(renewed.linkHash).toBe(linkHash(current, 'secret'));
  expect(openLink(current, { id: 'request-1', ...renewed })).toBe('secret');
  expect(renewedLink(rotating, { id: 'request-1', ...renewed })).toBeUndefined();
});

it('openLink() opens no link that was stored for another request, or under a lost key', () => {
  const stored = storedLink(former, 'request-1', 'secret');
  expect(openLink(former, { id: 'request-2', ...stored })).toBeUndefined();
  expect(openLink(current, { id: 'request-1', ...stored })).toBeUndefined();
});
