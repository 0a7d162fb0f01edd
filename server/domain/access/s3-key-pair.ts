import type { Account } from '../account/account.ts';
import { isLive, type ApiKey } from './api-key.ts';
import type { Caller } from './caller.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Reads } from '../ports/metadata.ts';
import type { KeySecrets, Secrets } from '../ports/secrets.ts';
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

type S3Seed = Pick<ApiKey, 's3Salt' | 's3Check' | 's3Sealed'>;

/** Makes the seed of a new pair. Once it is stored, the pair of the former salt is invalid. */
export function newS3Seed(secrets: Pick<KeySecrets, 'credentialHash'>, ids: Pick<Ids, 'lettersOf'>): S3Seed {
  const s3Salt = ids.lettersOf(saltLetters, saltLength);
  return { s3Salt, s3Check: checkOf(secrets, s3Salt), s3Sealed: null };
}

function checkOf(secrets: Pick<KeySecrets, 'credentialHash'>, s3Salt: string): string {
  return Buffer.from(secrets.credentialHash(`s3-salt:${s3Salt}`))
    .toString('hex')
    .slice(0, 16);
}

/**
 * Returns the pair of a key.
 *
 * @throws LEGACY_API_KEY for an imported key, which has no pair
 * @throws INVALID_CREDENTIAL when the pair was made under another master key
 */
export function keyPairOf(secrets: S3Secrets, key: ApiKey): S3KeyPair {
  const { accountId, s3Salt } = key;
  if (s3Salt === null) throw new Refusal('LEGACY_API_KEY');
  const secretAccessKey = secretOf(secrets, key, s3Salt);
  if (secretAccessKey === undefined) throw new Refusal('INVALID_CREDENTIAL');
  return { accessKeyId: `CB${accountId}${s3Salt}`, secretAccessKey };
}

export type S3Secrets = Pick<Secrets, 'signers' | 'unseal'>;

/**
 * Returns the secret of a pair. It is derived from the key's id, its salt and the master key that it was made with.
 * After a rotation of that master key the secret is stored encrypted, because clients still use it. Undefined when the
 * master key is unknown.
 */
function secretOf({ signers, unseal }: S3Secrets, { id, s3Check, s3Sealed }: ApiKey, s3Salt: string) {
  if (s3Sealed !== null) return unseal(purpose, s3Sealed, `${id}:${s3Salt}`);
  const maker = signers().find((key) => checkOf(key, s3Salt) === s3Check);
  return maker?.sign(purpose, `${id}:${s3Salt}`);
}

/**
 * Returns the seed that keeps a pair the same after the master key that it was made with has ended. Undefined if there
 * is nothing to change.
 *
 * @param isLeaked whether the former master key is known to others. The pair then gets another secret
 */
export function lastingS3Seed(
  secrets: S3Secrets & Pick<Secrets, 'seal'>,
  key: ApiKey,
  isLeaked: boolean,
): Pick<ApiKey, 's3Check' | 's3Sealed'> | undefined {
  const { id, s3Salt, s3Check, s3Sealed } = key;
  if (s3Salt === null) return undefined;
  const [current] = secrets.signers() as [KeySecrets];
  const ownCheck = checkOf(current, s3Salt);
  const isOwn =
    s3Sealed === null ? s3Check === ownCheck : current.unseal(purpose, s3Sealed, `${id}:${s3Salt}`) !== undefined;
  if (isOwn) return undefined;
  if (isLeaked) return { s3Check: ownCheck, s3Sealed: null };
  const secret = secretOf(secrets, key, s3Salt);
  return secret === undefined ? undefined : { s3Check, s3Sealed: secrets.seal(purpose, secret, `${id}:${s3Salt}`) };
}

interface Deps {
  readonly metadata: Reads<'accounts' | 'apiKeys'>;
  readonly secrets: S3Secrets;
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
  const secretAccessKey = cachedSecretOf(secrets, key, salt);
  return account && secretAccessKey !== undefined ? { caller: { account, key }, secretAccessKey } : undefined;
}

/** A cache: each read of a key's row has its secret, for as long as the row itself is cached. */
const secretCache = new WeakMap<ApiKey, string>();

function cachedSecretOf(secrets: Deps['secrets'], key: ApiKey, salt: string): string | undefined {
  const cached = secretCache.get(key);
  if (cached !== undefined) return cached;
  const secret = secretOf(secrets, key, salt);
  if (secret !== undefined) secretCache.set(key, secret);
  return secret;
}
