import type { DeliveryHandlers } from '#generated/router.ts';
import { openDownloadLink } from '#server/domain/links/open-download-link.ts';
import { servedType } from '#server/domain/objects/file-type.ts';
import { readContent } from '#server/domain/objects/read-content.ts';
import { BlobStoreUnavailable, type BlobStore } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import { MetadataUnavailable, type Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from './call.ts';
import { fileRepresentation } from './file-representation.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'read'>;
  readonly blobs: Pick<BlobStore, 'open'>;
  readonly secrets: Pick<Secrets, 'verify'>;
  readonly clock: Clock;
}

/** A link may be withdrawn at any moment, by deleting or moving its file: nobody may answer in the server's place. */
const linkCacheControl = 'private, no-cache';

function refuse(error: unknown): never {
  const isUnavailable = error instanceof BlobStoreUnavailable || error instanceof MetadataUnavailable;
  throw isUnavailable ? Object.assign(new Refusal('STORAGE_UNAVAILABLE'), { cause: error }) : error;
}

/** Files through temporary links. */
export function deliveryHandlers(deps: Deps): Pick<DeliveryHandlers<Call>, 'openDownloadLink'> {
  return {
    async openDownloadLink({ path }) {
      const { link, object, content } = await openDownloadLink(deps, path.token).catch(refuse);
      const { contentType, isAttachment } = servedType(object.key);
      const serving = { contentType, disposition: isAttachment ? 'attachment' : link.disposition, filename: link.filename } as const;
      const body = fileRepresentation(object, serving, {
        cacheControl: linkCacheControl,
        open: (range) => readContent(deps, content, range).catch(refuse),
      });
      return { status: 200, body };
    },
  };
}
