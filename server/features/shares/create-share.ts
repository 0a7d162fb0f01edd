import type { Requester } from '#server/domain/access/requester.ts';
import { placesFor } from '#server/domain/access/places.ts';
import { got } from '#server/domain/error-value.ts';
import { maxActiveShares } from './limits.ts';
import { formatObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import { objectInfo } from '#server/features/files/object-info.ts';
import { findLive, type StoredObject } from '#server/features/files/object.ts';
import { isAtLeast, type Plan } from '#server/domain/plan.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { coversKey, type Prefix } from '#server/domain/prefixes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { commonFolder, requireBundleSize } from './bundle.ts';
import type { HashQueue } from '#server/domain/hash-queue.ts';
import { hashPassword } from './password.ts';
import { storedShareId } from './share-id.ts';
import { auditShareChange, recordShareChange } from './record-share-change.ts';
import { endOf, type OwnedShare, type Share, type ShareTexts } from './share.ts';

interface Deps {
  readonly metadata: Metadata<'activity' | 'apiKeys' | 'audit' | 'bundles' | 'events' | 'objects' | 'shares'>;
  readonly secrets: Pick<Secrets, 'credentialHash' | 'seal'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
  readonly clock: Clock;
  readonly hashing: HashQueue;
  readonly scrypt: Scrypt;
}

/** What a link is to lead to: one file, files, or a folder. */
export type ShareTarget =
  | { readonly kind: 'file'; readonly address: ObjectAddress }
  | { readonly kind: 'files'; readonly addresses: readonly ObjectAddress[] }
  | { readonly kind: 'folder'; readonly prefix: Prefix };

interface CreateShare extends Requester {
  readonly target: ShareTarget;
  readonly lifetimeMs: number;
  /** Null means no limit. */
  readonly maxDownloads: number | null;
  readonly password: string | undefined;
  readonly hasLanding: boolean;
  readonly texts: ShareTexts;
}

/** A new link, and whether a file of it can be fetched without it. */
interface CreatedShare extends OwnedShare {
  readonly isPublic: boolean;
}

/**
 * Creates a link to a file or to several.
 *
 * @throws PREFIX_NOT_ALLOWED if no prefix of the key covers all files
 * @throws UPGRADE_REQUIRED for a password below Pro
 * @throws OBJECT_NOT_FOUND
 * @throws BUNDLE_TOO_LARGE for a folder with more than 10000 files
 * @throws TOO_MANY_SHARES when 1000 links of the account are active
 * @throws SERVER_OVERLOADED while too many passwords are being hashed
 */
export async function createShare(deps: Deps, command: CreateShare): Promise<CreatedShare> {
  const { metadata, ids, hashing, scrypt } = deps;
  const { account, target, password } = command;
  const place = placeOf(command);
  if (password !== undefined) requirePasswordPlan(account.plan, 'share link');
  // Hashing is expensive, so a missing file is rejected before it. The transaction checks again.
  if (password !== undefined && target.kind === 'file') await objectInfo(deps, target.address);
  if (target.kind === 'folder') await requireBundleSize(deps, place);
  const passwordHash = password === undefined ? null : await hashForLink({ hashing, scrypt }, account.id, password);
  return metadata.atomically(
    async (tx) => {
      const found = await filesOf(tx, target);
      await requireOneMoreShare(tx, account.id, command.keyId);
      const id = ids.opaqueId();
      const share = newShare(deps, command, { id, place, passwordHash, found, now: tx.now });
      await tx.shares.add(share);
      if (share.bundle === 'files') await tx.bundles.add(share.idHash, found);
      await recordShareChange(tx, 'share.created', share, command);
      await auditShareChange(tx, 'share.created', share, command);
      const isPublic = found.some(({ space }) => space !== 'private');
      const file = share.bundle === null ? found[0] : undefined;
      return { id, share, fileName: file?.originalName ?? null, endsAt: endOf(share, file), isPublic };
    },
    { account: account.id },
  );
}

/**
 * Checks that the account may have one more active link.
 *
 * @param keyId the key that was sent
 * @throws TOO_MANY_SHARES
 */
export async function requireOneMoreShare(
  tx: Transaction<'apiKeys' | 'shares'>,
  accountId: string,
  keyId: string,
): Promise<void> {
  const places = await placesFor(tx, accountId, keyId, maxActiveShares);
  if ((await tx.shares.countActive(accountId, tx.now)) >= places) throw new Refusal('TOO_MANY_SHARES');
}

/**
 * Returns the address that the link has: that of the file, or the folder that holds all files.
 *
 * @throws PREFIX_NOT_ALLOWED
 */
function placeOf({ account, target, prefixes }: CreateShare): ObjectAddress {
  if (target.kind === 'file') return target.address;
  const key = target.kind === 'folder' ? `${target.prefix}/` : commonFolder(target.addresses.map((one) => one.key));
  // Otherwise the key could make a link that it may neither see nor revoke.
  if (prefixes && !coversKey(prefixes, key)) throw new Refusal('PREFIX_NOT_ALLOWED');
  return { accountId: account.id, space: 'private', key };
}

/** Finds the files that a link is made for, each once. A folder is looked up at each visit. @throws OBJECT_NOT_FOUND */
async function filesOf(tx: Transaction<'objects'>, target: ShareTarget): Promise<readonly StoredObject[]> {
  if (target.kind === 'folder') return [];
  const addresses = target.kind === 'file' ? [target.address] : target.addresses;
  const byId = new Map(addresses.map((address) => [formatObjectId(address), address]));
  const found: StoredObject[] = [];
  for (const [id, address] of byId) {
    const object = await findLive(tx.objects, address, tx.now);
    if (!object) throw new Refusal('OBJECT_NOT_FOUND', target.kind === 'file' ? {} : { detail: got(id) });
    found.push(object);
  }
  return found;
}

interface NewShare {
  readonly id: string;
  readonly place: ObjectAddress;
  readonly passwordHash: string | null;
  readonly found: readonly StoredObject[];
  readonly now: number;
}

function newShare(
  { secrets }: Deps,
  { target, lifetimeMs, maxDownloads, hasLanding, texts }: CreateShare,
  { id, place, passwordHash, found, now }: NewShare,
): Share {
  return {
    ...storedShareId(secrets, id),
    object: place,
    generation: target.kind === 'file' ? found[0]!.generation : '',
    bundle: target.kind === 'file' ? null : target.kind,
    fileCount: target.kind === 'files' ? found.length : null,
    createdAt: now,
    expiresAt: now + lifetimeMs,
    maxDownloads,
    remainingDownloads: maxDownloads,
    passwordHash,
    hasLanding,
    ...texts,
    downloads: 0,
    revokedAt: null,
  };
}

/**
 * Checks that a plan has passwords.
 *
 * @param of what the password protects, for the message
 * @throws UPGRADE_REQUIRED
 */
export function requirePasswordPlan(plan: Plan, of: string): void {
  if (isAtLeast(plan, 'pro')) return;
  throw new Refusal('UPGRADE_REQUIRED', {
    message: `A password on a ${of} needs the Pro or Enterprise plan. Upgrade, or leave the password out.`,
  });
}

/** Hashes the password of a link. @throws SERVER_OVERLOADED while too many passwords are being hashed */
export function hashForLink(
  { hashing, scrypt }: Pick<Deps, 'hashing' | 'scrypt'>,
  accountId: string,
  password: string,
): Promise<string> {
  return hashing.run({ account: accountId, of: 'new links' }, () => hashPassword(scrypt, password));
}
