import type { Account } from '../account/account.ts';
import { isLive, type ApiKey } from './api-key.ts';
import type { Caller } from './caller.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';

const saltLength = 16;
const saltLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const form = /^CB([0-9]{18})([A-Z0-9]{16})$/;
const purpose = 's3-secret';

/** The key pair of an API key. */
export interface S3KeyPair {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** What a new pair is made of; the old one ends with the old salt. */
export function newS3Seed(
  secrets: Pick<Secrets, 'credentialHash'>,
  ids: Pick<Ids, 'lettersOf'>,
): Pick<ApiKey, 's3Salt' | 's3Check'> {
  const s3Salt = ids.lettersOf(saltLetters, saltLength);
  return { s3Salt, s3Check: checkOf(secrets, s3Salt) };
}

function checkOf(secrets: Pick<Secrets, 'credentialHash'>, s3Salt: string): string {
  return Buffer.from(secrets.credentialHash(`s3-salt:${s3Salt}`))
    .toString('hex')
    .slice(0, 16);
}

/**
 * The pair of a key. The secret is kept nowhere: it hangs on the key's record and the master key, so that it dies with
 * either.
 *
 * @throws LEGACY_API_KEY for a key imported from before, which has none
 * @throws INVALID_CREDENTIAL when the pair was made under another master key
 */
export function keyPairOf(
  secrets: Pick<Secrets, 'sign' | 'credentialHash'>,
  { id, accountId, s3Salt, s3Check }: ApiKey,
): S3KeyPair {
  if (s3Salt === null) throw new Refusal('LEGACY_API_KEY');
  if (s3Check !== null && s3Check !== checkOf(secrets, s3Salt)) throw new Refusal('INVALID_CREDENTIAL');
  return { accessKeyId: `CB${accountId}${s3Salt}`, secretAccessKey: secretOf(secrets, id, s3Salt) };
}

function secretOf(secrets: Pick<Secrets, 'sign'>, keyId: string, s3Salt: string): string {
  return secrets.sign(purpose, `${keyId}:${s3Salt}`);
}

interface Deps {
  readonly metadata: Reads<'accounts' | 'apiKeys'>;
  readonly secrets: Pick<Secrets, 'sign'>;
  readonly clock: Clock;
}

/** Who an access key id belongs to, and the secret that proves it. */
export interface S3Owner {
  readonly caller: Caller & { readonly account: Account };
  readonly secretAccessKey: string;
}

/**
 * Finds the live key of an access key id; undefined when it is malformed, unknown, revoked or expired: all look the
 * same.
 */
export async function findS3Owner(
  { metadata, secrets, clock }: Deps,
  accessKeyId: string,
): Promise<S3Owner | undefined> {
  const [, accountId, salt] = form.exec(accessKeyId) ?? [];
  if (salt === undefined) return undefined;
  const key = await metadata.read.apiKeys.findByS3Salt(salt);
  if (!key || key.accountId !== accountId || !isLive(key, clock.now())) return undefined;
  const account = await metadata.read.accounts.find(accountId);
  // The check is not asked here: a pair that was made under another master key fails by its signature.
  return account && { caller: { account, key }, secretAccessKey: secretOf(secrets, key.id, salt) };
}
