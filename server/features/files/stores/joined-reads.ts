import { LRUCache } from 'lru-cache';

import { atMost } from '#server/domain/at-most.ts';
import type { Account } from '#server/domain/account/account.ts';
import { isClosed } from '#server/domain/account/closed-account.ts';
import type { BlobReference, Content } from '#server/domain/contents/table.ts';
import { spaces } from '#server/domain/object-id.ts';
import type { Readers } from '#server/domain/ports/metadata.ts';
import { nullable, prefixed, record } from '#server/stores/tables/columns.ts';
import { blobColumns } from '#server/stores/tables/blob-rows.ts';
import { table, type Rows } from '#server/stores/tables/rows.ts';
import type { StoredObject } from '../object.ts';
import { objects } from '../tables/objects.ts';

type Closing = Pick<Account, 'suspendedAt' | 'deletedAt'>;

const atAddress = `(SELECT ${objects.list} FROM objects WHERE account_id = ? AND space = ? AND key = ?) AS object`;

/** A file with its only blob, and whether its account is closed. The blob is null if there are several. */
const fileWithBlob = table(
  `${atAddress} JOIN accounts AS account USING (account_id)
   LEFT JOIN contents AS blob ON blob.content_id = object.content_id`,
  record<{ object: StoredObject; account: Closing; blob: BlobReference | null }>({
    object: prefixed('object', objects.columns),
    account: prefixed('account', record<Closing>({ suspendedAt: 'suspended_at', deletedAt: 'deleted_at' })),
    blob: nullable(prefixed('blob', blobColumns)),
  }),
);

/** Space for contents that were read with their file, in bytes, and how long they are kept. */
const maxBytes = 4 * 1024 * 1024;
const keptMs = 1_000;

/** What an entry takes besides its bytes. */
const entryBytes = 1_024;

/**
 * Reads the content of a file and the state of its account with the file. A download then takes one round trip.
 * Contents never change, so a content that was kept for a moment is right for its file.
 */
export function joinFileReads(readers: Readers, rows: Rows): Readers {
  const contents = new LRUCache<string, Content>({
    maxSize: maxBytes,
    sizeCalculation: ({ blobs }) => entryBytes + (blobs[0]?.inline?.length ?? 0),
    ttl: keptMs,
  });
  // A look-up of a file is followed by this question within the same request.
  const closed = new LRUCache<string, boolean>({ ...atMost(10_000), ttl: keptMs });
  return {
    ...readers,
    accounts: {
      ...readers.accounts,
      isClosed: async (accountId) => closed.get(accountId) ?? readers.accounts.isClosed(accountId),
    },
    objects: {
      ...readers.objects,
      async find({ accountId, space, key }) {
        const found = await rows.one(fileWithBlob, '', accountId, spaces.indexOf(space), key);
        if (!found) return undefined;
        const { object, account, blob } = found;
        closed.set(accountId, isClosed(account));
        const { contentId: id, sizeBytes } = object;
        if (blob) contents.set(id, { id, sizeBytes, blobs: [blob] });
        return object;
      },
    },
    contents: {
      ...readers.contents,
      find: async (contentId) => contents.get(contentId) ?? readers.contents.find(contentId),
    },
  };
}
