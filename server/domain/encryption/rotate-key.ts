import type { AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Ids } from '../ports/ids.ts';
import type { KeyEncryptionKey } from '../ports/key-encryption-key.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import { makeRoot } from './make-root.ts';
import type { WrappedRoot } from './root-keys-table.ts';

/** A change of the key-encryption key cannot be done like this. The message is for the operator. */
export class KeyEncryptionKeyRotationRefused extends Error {
  override readonly name = 'KeyEncryptionKeyRotationRefused';
}

interface Deps {
  readonly metadata: Writes<'rootKeys' | 'audit'>;
  readonly ids: Pick<Ids, 'lettersOf' | 'rootKey'>;
}

interface RotationReport {
  /** The root keys that the new key has wrapped now. The old key opens them too. */
  readonly wrappedRoots: number;
  /** The root key of blobs from now on. */
  readonly newRootId: string;
}

/**
 * Wraps all root keys by a new key-encryption key too, and makes a root key for blobs from now on. No bytes of blobs
 * change. Servers go on with either key until {@link finishKeyEncryptionKeyRotation}.
 *
 * @throws {KeyEncryptionKeyRotationRefused} if the new key is known already
 */
export async function rotateKey(
  { metadata, ids }: Deps,
  {
    current,
    next,
    by,
  }: { readonly current: KeyEncryptionKey; readonly next: KeyEncryptionKey; readonly by: AuditActor },
): Promise<RotationReport> {
  if (current.id === next.id)
    throw new KeyEncryptionKeyRotationRefused(
      'The new key is the one that is in use. Make another one: "openssl rand -hex 32".',
    );
  return metadata.atomically(async (tx) => {
    const all = await tx.rootKeys.list();
    if (all.some(({ keyId }) => keyId === next.id))
      throw new KeyEncryptionKeyRotationRefused(
        'This key has wrapped the root keys already. Restart all servers with it, then run this command with --finish.',
      );
    const own = all.filter(({ keyId }) => keyId === current.id);
    for (const root of own) await tx.rootKeys.add(rewrapped(root, current, next));
    const newRootId = await makeRoot(tx, ids, [current, next]);
    await record(tx, by, { new_root: newRootId, wrapped_roots: own.length + 1 });
    return { wrappedRoots: own.length + 1, newRootId };
  });
}

function rewrapped(
  { rootId, wrapped, madeAt }: WrappedRoot,
  from: KeyEncryptionKey,
  to: KeyEncryptionKey,
): WrappedRoot {
  const root = from.unwrap(rootId, wrapped);
  if (!root)
    throw new KeyEncryptionKeyRotationRefused(
      `The root key ${rootId} is damaged: the key in use does not open it. Nothing was changed.`,
    );
  return { rootId, keyId: to.id, wrapped: to.wrap(rootId, root), madeAt };
}

/**
 * Removes what former key-encryption keys have wrapped, so that they open nothing any more. Returns how many there
 * were.
 *
 * @param current the key in use from now on
 * @throws {KeyEncryptionKeyRotationRefused} if the key does not open all root keys
 */
export async function finishKeyEncryptionKeyRotation(
  { metadata }: Pick<Deps, 'metadata'>,
  { current, by }: { readonly current: KeyEncryptionKey; readonly by: AuditActor },
): Promise<number> {
  return metadata.atomically(async (tx) => {
    const all = await tx.rootKeys.list();
    const opens = ({ rootId, wrapped, keyId }: WrappedRoot) => keyId === current.id && current.unwrap(rootId, wrapped);
    const opened = new Set(all.filter(opens).map(({ rootId }) => rootId));
    const closed = all.find(({ rootId }) => !opened.has(rootId));
    if (closed)
      throw new KeyEncryptionKeyRotationRefused(
        `The key in use does not open the root key ${closed.rootId}. Nothing was changed.`,
      );
    const removed = await tx.rootKeys.removeOthers(current.id);
    if (removed > 0) await record(tx, by, { removed_wraps: removed });
    return removed;
  });
}

function record(tx: Transaction<'audit'>, by: AuditActor, details: Readonly<Record<string, unknown>>): Promise<void> {
  return recordAudit(tx, { action: 'key_encryption_key.rotated', by, accountId: null, subject: null, details });
}
