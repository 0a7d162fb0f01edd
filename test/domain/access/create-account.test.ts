import { expect, it } from 'vitest';

import { createAccount } from '#server/domain/access/create-account.ts';
import { startTestServer } from '#test/support/server.ts';

it('createAccount() leaves no account behind when its key cannot be made', async () => {
  const { running } = await startTestServer();
  const { stores } = running.app;
  const first = await createAccount(stores, { name: 'first', plan: 'pro' });
  // This key id is already taken.
  const ids = { ...stores.ids, opaqueId: () => first.key.id };
  await expect(createAccount({ ...stores, ids }, { name: 'second', plan: 'pro' })).rejects.toThrow();
  expect((await stores.metadata.read.accounts.list()).map(({ name }) => name)).toEqual(['first']);
});
