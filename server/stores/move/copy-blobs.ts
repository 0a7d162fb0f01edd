import { inParallel } from '#server/domain/backup/send-blobs.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import { copyBlob, type NamedBlob } from './copy-blob.ts';
import { tablesWithBlobs } from './shared-tables.ts';
import { keyOf, type MovableRows, type MovedRow, type MovedTable } from './rows.ts';

/** A blob that the source lacks, or has with other bytes, and the row that names it. */
interface DamagedBlob {
  readonly outcome: 'missing' | 'damaged';
  readonly table: MovedTable;
  readonly key: MovedRow;
}

/** The blobs of both stores, and what a move has copied. */
export class BlobMove {
  readonly #source: BlobStore;
  readonly #target: BlobStore;
  readonly #signal: AbortSignal;
  readonly #onCopied: (bytes: number) => void;
  /** By the id of the blob. A row may have been removed since: see `recheck()`. */
  readonly damaged = new Map<string, DamagedBlob>();

  constructor(source: BlobStore, target: BlobStore, signal: AbortSignal, onCopied: (bytes: number) => void) {
    this.#source = source;
    this.#target = target;
    this.#signal = signal;
    this.#onCopied = onCopied;
  }

  /** Copies the blobs that these rows name. Rows of other tables name none. */
  async copy(table: MovedTable, rows: readonly MovedRow[]): Promise<void> {
    const waiting = rows.flatMap((row) => {
      const blob = blobOf(table, row);
      return blob ? [{ blob, key: keyOf(table, row) }] : [];
    });
    await inParallel(waiting, ({ blob, key }) => this.#copy(blob, table, key));
  }

  /** Removes a blob that the source has removed. */
  async remove(blobId: string): Promise<void> {
    this.damaged.delete(blobId);
    await this.#target.delete(blobId);
  }

  /** Copies the damaged blobs again, and forgets those that no row names any more. */
  async recheck(rows: MovableRows): Promise<void> {
    const before = [...this.damaged.values()];
    this.damaged.clear();
    for (const { table, key } of before) await this.copy(table, await rows.find(table, [key]));
  }

  async #copy(blob: NamedBlob, table: MovedTable, key: MovedRow): Promise<void> {
    this.#signal.throwIfAborted();
    const outcome = await copyBlob(this.#source, this.#target, blob, this.#signal);
    if (outcome === 'copied') {
      this.damaged.delete(blob.id);
      this.#onCopied(blob.sizeBytes);
    } else this.damaged.set(blob.id, { outcome, table, key });
  }
}

/** Returns the blob that a row names. Few bytes are in the row itself, and several blobs in rows of their own. */
function blobOf(table: MovedTable, row: MovedRow): NamedBlob | undefined {
  const value = (column: string) => row[table.columns.indexOf(column)];
  if (!tablesWithBlobs.includes(table.name)) return undefined;
  if (value('blob_id') === null || (value('inline') ?? null) !== null) return undefined;
  const md5 = table.columns.includes('md5') ? (value('md5') as string) : undefined;
  return { id: value('blob_id') as string, sizeBytes: value('size_bytes') as number, md5 };
}
