import { createHash } from 'node:crypto';

import type { Account } from '#server/domain/account/account.ts';
import { systemActor } from '#server/domain/activity/activity.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { DiskSpace } from '#server/domain/ports/disk-space.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { isKey, type ObjectAddress } from '#server/domain/object-id.ts';
import { suffixOfForeignKey } from '../key.ts';
import type { LegacyImport } from './legacy-imports-table.ts';
import type { StoredObject } from '../object.ts';
import type { ReceivedContent } from '../upload/receive-content.ts';
import { replacedBytes } from '../upload/replaced-bytes.ts';
import { storeObject } from '../store-object.ts';
import { rowOf, storeContent } from '../upload/store-content.ts';
import type { FileTables } from '../table.ts';

interface Deps {
  readonly metadata: Metadata<FileTables | 'legacyImports' | 'reservations'>;
  readonly blobs: Pick<BlobStore, 'put' | 'sealInline'>;
  readonly diskSpace: Pick<DiskSpace, 'require'>;
  readonly ids: Ids;
}

interface ImportLegacyFile {
  readonly account: Account;
  readonly key: string;
  readonly sizeBytes: number;
  /** Returns the bytes from the first on. Called again if the first pass shows that other bytes are stored. */
  readonly open: () => AsyncIterable<Uint8Array>;
  /** Whether to import a file again that was imported before and is no longer there. */
  readonly again?: boolean;
  readonly signal: AbortSignal;
}

/**
 * The outcome of an import. `gone`: the file was imported before, and its account has deleted, moved or hidden it
 * since.
 */
type LegacyImportOutcome = 'imported' | 'unchanged' | 'gone';

/**
 * Stores a file from before the current storage under its old id, `<account_id>/<key>`. Only the quota limits its size.
 * A file with the same bytes stays as it is, so that an import can be repeated. Other bytes replace it. If the account
 * has removed a file that was imported with these bytes, it is not imported again. `created_at` is the time of the
 * import.
 *
 * @throws INVALID_OBJECT if the key can never be part of an id, STORAGE_QUOTA_EXCEEDED, INSUFFICIENT_STORAGE, and
 *   what the source throws
 */
export async function importLegacyFile(deps: Deps, command: ImportLegacyFile): Promise<LegacyImportOutcome> {
  const { account, key, sizeBytes, open, again = false } = command;
  if (!isKey(key)) {
    throw new Refusal('INVALID_OBJECT', {
      message: 'A key has up to 1024 bytes of text without control characters. No folder in it is "." or "..".',
    });
  }
  const address: ObjectAddress = { accountId: account.id, space: 'legacy', key };
  const { read } = deps.metadata;
  const [existing, imported] = [await read.objects.find(address), await read.legacyImports.find(address)];
  // Reading a file twice is cheaper than writing a blob and throwing it away.
  const mayBeKnown = existing ? existing.sizeBytes === sizeBytes : imported !== undefined && !again;
  const known = mayBeKnown ? outcomeFor(existing, imported, await sha256Of(open()), again) : undefined;
  if (known) return known;

  const releaseSpace = await deps.diskSpace.require(sizeBytes);
  try {
    return await importBytes(deps, command, address);
  } finally {
    releaseSpace();
  }
}

function importBytes(
  deps: Deps,
  { account, sizeBytes, open, again = false, signal }: ImportLegacyFile,
  address: ObjectAddress,
): Promise<LegacyImportOutcome> {
  // No size is announced: an announced size is reserved at once, and only up to the size of an upload.
  const incoming = {
    account,
    source: open(),
    announcedBytes: undefined,
    leastBytes: sizeBytes,
    maxBytes: Infinity,
    signal,
    // Legacy files never expire, so the time does not matter.
    freedAtCommit: async () => ({ replacedBytes: await replacedBytes(deps.metadata.read, address, 0) }),
  };
  return storeContent(deps, incoming, {
    write: (tx, received) => write(tx, deps.ids, received, { address, again }),
    isNamed: (outcome) => outcome === 'imported',
  });
}

async function sha256Of(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

/** Returns the outcome for a file with these bytes, or undefined if it must be stored. Legacy files never expire. */
function outcomeFor(
  existing: StoredObject | undefined,
  imported: LegacyImport | undefined,
  sha256: string,
  again: boolean,
): 'unchanged' | 'gone' | undefined {
  if (existing) return existing.sha256 === sha256 ? 'unchanged' : undefined;
  return imported?.sha256 === sha256 && !again ? 'gone' : undefined;
}

async function write(
  tx: Transaction<FileTables | 'legacyImports' | 'reservations'>,
  ids: Ids,
  received: ReceivedContent,
  { address, again }: { readonly address: ObjectAddress; readonly again: boolean },
): Promise<LegacyImportOutcome> {
  const sha256 = received.sha256!;
  const existing = await tx.objects.find(address);
  const known = outcomeFor(existing, await tx.legacyImports.find(address), sha256, again);
  if (known) return known;

  const account = await tx.accounts.find(address.accountId);
  await storeObject(
    tx,
    ids,
    { account, existing },
    {
      ...address,
      suffix: suffixOfForeignKey(address.key),
      ...rowOf(received),
      expiresAt: null,
      cacheControl: null,
      disposition: null,
      originalName: address.key.slice(address.key.lastIndexOf('/') + 1),
      metadata: {},
      clientProperties: null,
      mayReplace: true,
      activity: { type: 'object.uploaded', actor: systemActor },
    },
  );
  await tx.legacyImports.save({ accountId: address.accountId, key: address.key, sha256 });
  return 'imported';
}
