import { rootIdAlphabet, rootIdLetters } from '../blob-id.ts';
import type { Ids } from '../ports/ids.ts';
import type { KeyEncryptionKey } from '../ports/key-encryption-key.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';

type RootIds = Pick<Ids, 'lettersOf' | 'rootKey'>;

/** Makes a root key for the blobs from now on, wrapped by each of these keys. Returns its id. */
export async function makeRoot(
  tx: Transaction<'rootKeys'>,
  ids: RootIds,
  keys: readonly KeyEncryptionKey[],
): Promise<string> {
  const [rootId, root] = [ids.lettersOf(rootIdAlphabet, rootIdLetters), ids.rootKey()];
  for (const key of keys)
    await tx.rootKeys.add({ rootId, keyId: key.id, wrapped: key.wrap(rootId, root), madeAt: tx.now });
  return rootId;
}

/** Makes the first root key, unless there is one. */
export async function makeFirstRoot(
  { metadata, ids }: { readonly metadata: Writes<'rootKeys'>; readonly ids: RootIds },
  key: KeyEncryptionKey,
): Promise<void> {
  await metadata.atomically(async (tx) => {
    if ((await tx.rootKeys.list()).length === 0) await makeRoot(tx, ids, [key]);
  });
}
