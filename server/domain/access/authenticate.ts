import type { Account } from '../account/account.ts';
import { requireOpen } from '../account/closed-account.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { findByCredential } from '../find-by-credential.ts';
import { Refusal } from '../refusal.ts';
import { refusalOf, stateOf, type UploadTokenUse } from './upload-token.ts';
import { isLive, type ApiKey } from './api-key.ts';
import type { Caller } from './caller.ts';
import { credentialKind, mayBeLegacyKey } from './credential.ts';
import { sentSecret } from './renew-secret.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'apiKeys' | 'uploadTokens'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'finders' | 'keyNumber'>;
  readonly clock: Clock;
}

/**
 * Finds the caller that a credential belongs to. Credentials are looked up by keyed hash, so the response time reveals
 * nothing about a secret. Operations that accept no upload tokens also get the caller of one. They reject it later,
 * with their own message.
 *
 * @param use the purpose of an upload token in this request
 * @throws ACCESS_DENIED when it is missing, malformed, unknown, revoked or expired: all look the same
 * @throws ACCOUNT_SUSPENDED when an operator has suspended or deleted the account
 * @throws UPLOAD_TOKEN_USED when the request needs a use of an upload token that has none left
 */
export async function authenticate(
  deps: Deps,
  credential: string | undefined,
  use: UploadTokenUse = 'other',
): Promise<Caller> {
  const kind = credential === undefined ? undefined : credentialKind(credential);
  const isOther = kind === undefined ? credential !== undefined && !mayBeLegacyKey(credential) : kind === 'operatorKey';
  if (credential === undefined || isOther) throw new Refusal('ACCESS_DENIED');
  return kind === 'uploadToken' ? callerOfToken(deps, credential, use) : callerOfKey(deps, credential);
}

async function callerOfKey({ metadata, secrets, clock }: Deps, credential: string): Promise<Caller> {
  const found = await findByCredential(secrets, credential, async (hash, { keyNumber }) => {
    const owner = await metadata.read.apiKeys.findWithAccount(hash);
    return owner && { ...owner, secret: sentSecret(secrets, credential, hash, keyNumber) };
  });
  if (!found || !isLive(found.key, clock.now())) throw new Refusal('ACCESS_DENIED');
  return { account: requireOpen(found.account), key: found.key, secret: found.secret };
}

async function callerOfToken(
  { metadata, secrets, clock }: Deps,
  credential: string,
  use: UploadTokenUse = 'other',
): Promise<Caller> {
  const token = await findByCredential(secrets, credential, (hash) => metadata.read.uploadTokens.findByHash(hash));
  const key = token && (await metadata.read.apiKeys.find(token.keyId));
  if (!key) throw new Refusal('ACCESS_DENIED');
  const code = refusalOf(stateOf(token, key, clock.now()), use);
  if (code !== undefined) throw new Refusal(code);
  return { account: requireOpen(await accountOf(metadata, key)), key, token };
}

async function accountOf({ read }: Deps['metadata'], { accountId }: ApiKey): Promise<Account> {
  const account = await read.accounts.find(accountId);
  if (!account) throw new Refusal('ACCESS_DENIED');
  return account;
}
