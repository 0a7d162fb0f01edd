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
interface S3KeyPair {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Makes the seed of a new pair. Once it is stored, the pair of the former salt is invalid. */
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
 * Returns the pair of a key. The secret is not stored: it is derived from the key's id, its salt and the master key.
 *
 * @throws LEGACY_API_KEY for an imported key, which has no pair
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

/** The caller that an access key id belongs to, and the secret that its signatures are made with. */
export interface S3Owner {
  readonly caller: Caller & { readonly account: Account };
  readonly secretAccessKey: string;
}

/** Finds the live key of an access key id. Returns undefined when it is malformed, unknown, revoked or expired. */
export async function findS3Owner(
  { metadata, secrets, clock }: Deps,
  accessKeyId: string,
): Promise<S3Owner | undefined> {
  const [, accountId, salt] = form.exec(accessKeyId) ?? [];
  if (salt === undefined) return undefined;
  const key = await metadata.read.apiKeys.findByS3Salt(salt);
  if (!key || key.accountId !== accountId || !isLive(key, clock.now())) return undefined;
  const account = await metadata.read.accounts.find(accountId);
  // `s3Check` is not compared here. A pair that was made under another master key fails because its signatures do not
  // match.
  return account && { caller: { account, key }, secretAccessKey: cachedSecretOf(secrets, key, salt) };
}

/** A cache: each read of a key's row has its secret, for as long as the row itself is cached. */
const secretCache = new WeakMap<ApiKey, string>();

function cachedSecretOf(secrets: Deps['secrets'], key: ApiKey, salt: string): string {
  let secret = secretCache.get(key);
  if (secret === undefined) secretCache.set(key, (secret = secretOf(secrets, key.id, salt)));
  return secret;
}
