import type { WrappedRoot } from '#server/domain/encryption/root-keys-table.ts';
import type { KeyEncryptionKey } from '#server/domain/ports/key-encryption-key.ts';
import { NeedsChange } from '#server/needs-change.ts';
import { keyEncryptionKey } from './key-encryption-key.ts';

/** The key-encryption key is missing, or another one than the files need. The message is one line for the operator. */
export class KeyEncryptionKeyUnusable extends NeedsChange {
  override readonly name = 'KeyEncryptionKeyUnusable';
}

/** Returns the key-encryption key of a configuration. */
export function configuredKey({ keyEncryptionKey: secret }: { readonly keyEncryptionKey: string | undefined }) {
  return secret === undefined ? undefined : keyEncryptionKey(secret);
}

/**
 * Checks that a key opens all root keys.
 *
 * @param key undefined if none is configured
 * @param owner what the root keys belong to: `the database …`
 * @throws {KeyEncryptionKeyUnusable}
 */
export function requireKey(roots: readonly WrappedRoot[], key: KeyEncryptionKey | undefined, owner: string): void {
  if (roots.length === 0) return;
  const advice =
    'Set CUBBY_KEY_ENCRYPTION_KEY or CUBBY_KEY_ENCRYPTION_KEY_FILE to the key of that time. Without it these ' +
    'files cannot be read.';
  if (!key)
    throw new KeyEncryptionKeyUnusable(
      `The files of ${owner} are encrypted, but there is no key-encryption key. ${advice}`,
    );
  const opened = new Set(
    roots.filter((one) => one.keyId === key.id && key.unwrap(one.rootId, one.wrapped)).map(({ rootId }) => rootId),
  );
  if (roots.every(({ rootId }) => opened.has(rootId))) return;
  throw new KeyEncryptionKeyUnusable(
    `The files of ${owner} are encrypted with another key-encryption key than the configured one. ${advice}`,
  );
}

/** Returns what {@link requireKey} finds wrong, one line each. */
export function problemsOfKey(...checked: Parameters<typeof requireKey>): string[] {
  try {
    requireKey(...checked);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
