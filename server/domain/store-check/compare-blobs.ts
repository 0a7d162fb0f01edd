import type { ContentsReader, NamedBlob } from '../contents/table.ts';
import type { BlobStore, StoredBlob } from '../ports/blobs.ts';

/** A difference between the rows and the store. Either of them may have changed while it was found. */
type BlobDifference =
  | { readonly named: NamedBlob; readonly stored: StoredBlob | undefined }
  | { readonly named: undefined; readonly stored: StoredBlob };

const pageRows = 1_000;

/**
 * Yields blobs that only a row or only the store has, and those of another size. Both sides come in the order of ids,
 * so one pass over each finds all of them, and memory does not depend on their number.
 *
 * @param onBlob called for each stored blob
 */
export async function* compareBlobs(
  contents: Pick<ContentsReader, 'named'>,
  blobs: Pick<BlobStore, 'ids'>,
  onBlob: (stored: StoredBlob) => void,
): AsyncGenerator<BlobDifference> {
  const rows = namedBlobs(contents);
  let row = await rows.next();
  let before = '';
  for await (const stored of blobs.ids()) {
    if (stored.blobId <= before)
      throw new Error(`The store does not list its blobs in order: ${stored.blobId} came after ${before}.`);
    before = stored.blobId;
    onBlob(stored);
    for (; !row.done && row.value.blobId < stored.blobId; row = await rows.next())
      yield { named: row.value, stored: undefined };
    if (row.done || row.value.blobId > stored.blobId) yield { named: undefined, stored };
    else {
      if (row.value.sizeBytes !== stored.sizeBytes) yield { named: row.value, stored };
      row = await rows.next();
    }
  }
  for (; !row.done; row = await rows.next()) yield { named: row.value, stored: undefined };
}

/** Yields all blobs that rows name, in the order of their ids. */
export async function* namedBlobs(contents: Pick<ContentsReader, 'named'>): AsyncGenerator<NamedBlob, undefined> {
  for (let last = ''; ;) {
    const page = await contents.named(last, pageRows);
    if (page.length === 0) return undefined;
    yield* page;
    last = page.at(-1)!.blobId;
  }
}

/** Returns whether a row names this blob now. */
export async function isNamed(contents: Pick<ContentsReader, 'named'>, blobId: string): Promise<boolean> {
  // Nothing but this id begins with all of its letters but the last, because ids are random.
  const [next] = await contents.named(blobId.slice(0, -1), 1);
  return next?.blobId === blobId;
}
