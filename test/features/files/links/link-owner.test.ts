import { expect, it } from 'vitest';

import { downloadLinkOwner } from '#server/features/files/links/link-owner.ts';
import { masterSecrets } from '#test/support/master-secrets.ts';

it.each(['/d/forged', '/d/', '/'])('downloadLinkOwner() finds no owner of %s', (path) => {
  expect(downloadLinkOwner({ secrets: masterSecrets(Buffer.alloc(32, 7)) })(path)).toBeUndefined();
});
