import { createHash } from 'node:crypto';

import type { Account } from '../account/account.ts';
import { systemActor } from '../activity/activity.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { DiskRoom } from '../ports/disk-room.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata, Transaction } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { isKey, type ObjectAddress } from '../object-id.ts';
import { endingOfForeignKey } from './key.ts';
import type { LegacyImport } from './legacy-imports-table.ts';
import type { StoredObject } from './object.ts';
import type { ReceivedContent } from './receive-content.ts';
import { storeObject } from './store-object.ts';
import { storeContent, rowOf } from './store-content.ts';

interface Deps {
  readonly metadata: Metadata<'accounts' | 'activity' | 'contents' | 'legacyImports' | 'objects' | 'reservations'>;
  readonly blobs: Pick<BlobStore, 'put'>;
  readonly room: Pick<DiskRoom, 'require'>;
  readonly ids: Ids;
}

export interface ImportLegacyFile {
  readonly account: Account;
  readonly key: string;
  readonly sizeBytes: number;
  /** The bytes from the first on; opened a second time when the first pass finds that they are not those stored. */
  readonly open: () => AsyncIterable<Uint8Array>;
  /** Whether it is brought over again though it was before and has gone elsewhere since. */
  readonly again?: boolean;
  readonly signal: AbortSignal;
}

/** `gone`: it was imported before, and its account has deleted, moved or hidden it since. */
export type LegacyImportOutcome = 'imported' | 'unchanged' | 'gone';

/**
 * Stores a file from before the current storage under its old id, `<account_id>/<key>`. Of any size, as far as the
 * quota goes. A file that is there with the same bytes stays as it is, so that an import can be repeated; other bytes
 * replace it. One that was imported with these bytes and is there no more stays away: its account wanted it so.
 * `created_at` is when it is written here, as for every other file.
 *
 * @throws INVALID_OBJECT when the key can never be part of an id, STORAGE_QUOTA_EXCEEDED, INSUFFICIENT_STORAGE, and
 *   what the source throws
 */
export async function importLegacyFile(deps: Deps, command: ImportLegacyFile): Promise<LegacyImportOutcome> {
  const { account, key, sizeBytes, open, again = false } = command;
  if (!isKey(key)) {
    throw new Refusal('INVALID_OBJECT', {
      message:
        'This cannot be a key: up to 1024 bytes of text without control characters and without "." or ".." as a folder.',
    });
  }
  const address: ObjectAddress = { accountId: account.id, space: 'legacy', key };
  const { read } = deps.metadata;
  const [existing, imported] = [await read.objects.find(address), await read.legacyImports.find(address)];
  // A second pass over a file is cheaper than a blob that is written only to be thrown away.
  const mayBeKnown = existing ? existing.sizeBytes === sizeBytes : imported !== undefined && !again;
  const known = mayBeKnown ? outcomeFor(existing, imported, await sha256Of(open()), again) : undefined;
  if (known) return known;

  const leaveRoom = await deps.room.require(sizeBytes);
  try {
    return await importBytes(deps, command, address);
  } finally {
    leaveRoom();
  }
}

async function importBytes(
  deps: Deps,
  { account, sizeBytes, open, again = false, signal }: ImportLegacyFile,
  address: ObjectAddress,
): Promise<LegacyImportOutcome> {
  // Nothing is announced: what is announced is held at once, and only up to the size of an upload.
  const incoming = {
    account,
    source: open(),
    estimatedBytes: undefined,
    leastBytes: sizeBytes,
    maxBytes: Infinity,
    signal,
  };
  return storeContent(deps, incoming, {
    write: (tx, received) => write(tx, deps.ids, address, received, again),
    isNamed: (outcome) => outcome === 'imported',
  });
}

async function sha256Of(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

/** What becomes of a file with these bytes; undefined when it is to be stored. Legacy files never expire. */
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
  tx: Transaction<'accounts' | 'activity' | 'contents' | 'legacyImports' | 'objects' | 'reservations'>,
  ids: Ids,
  address: ObjectAddress,
  received: ReceivedContent,
  again: boolean,
): Promise<LegacyImportOutcome> {
  const sha256 = received.sha256!;
  const known = outcomeFor(await tx.objects.find(address), await tx.legacyImports.find(address), sha256, again);
  if (known) return known;

  await storeObject(tx, ids, {
    ...address,
    ending: endingOfForeignKey(address.key),
    ...rowOf(received),
    expiresAt: null,
    cacheControl: null,
    disposition: null,
    originalName: address.key.slice(address.key.lastIndexOf('/') + 1),
    metadata: {},
    clientProperties: null,
    mayReplace: true,
    activity: { type: 'object.uploaded', actor: systemActor },
  });
  await tx.legacyImports.save({ accountId: address.accountId, key: address.key, sha256 });
  return 'imported';
}
