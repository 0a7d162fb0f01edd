import type { ApiKey } from '#server/domain/access/api-key.ts';
import { createKey } from '#server/domain/access/create-key.ts';
import type { Account } from '#server/domain/account/account.ts';
import {
  createUploadToken,
  type CreatedUploadToken,
  type CreateUploadToken,
} from '#server/features/upload-tokens/create-upload-token.ts';
import type { TestStores } from '#test/support/stores.ts';

export interface Minting {
  readonly account: Account;
  readonly key: ApiKey;
  /** Defaults to a quarter of an hour and one use. */
  mint(options?: Partial<CreateUploadToken>): Promise<CreatedUploadToken>;
}

/** Makes an account with a key that mints tokens. */
export async function minting(
  stores: TestStores,
  key: { readonly lifetimeMs?: number } = {},
  plan: Account['plan'] = 'enterprise',
): Promise<Minting> {
  const account = await stores.account({ plan });
  const created = await createKey(stores, { accountId: account.id, name: 'minting', scopes: ['blob:write'], ...key });
  return {
    account,
    key: created.key,
    mint: (options = {}) =>
      createUploadToken(stores, { account, key: created.key, pins: {}, lifetimeMs: 900_000, maxUses: 1, ...options }),
  };
}
