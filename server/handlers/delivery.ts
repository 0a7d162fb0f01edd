import type { DeliveryHandlers } from '#generated/router.ts';
import { openDownloadLink } from '#server/domain/links/open-download-link.ts';
import { servedType } from '#server/domain/objects/file-type.ts';
import { readContent } from '#server/domain/objects/read-content.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { Call } from './call.ts';
import { linkedRepresentation } from './file-representation.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'read'>;
  readonly blobs: Pick<BlobStore, 'open'>;
  readonly secrets: Pick<Secrets, 'verify'>;
  readonly clock: Clock;
}

/** Files through temporary links. */
export function deliveryHandlers(deps: Deps): Pick<DeliveryHandlers<Call>, 'openDownloadLink'> {
  return {
    async openDownloadLink({ path }) {
      const { link, object, content } = await openDownloadLink(deps, path.token);
      const { contentType, isAttachment } = servedType(object.key);
      const serving = {
        contentType,
        disposition: isAttachment ? 'attachment' : link.disposition,
        filename: link.filename,
      } as const;
      const body = linkedRepresentation(object, serving, (range) => readContent(deps, content, range));
      return { status: 200, body };
    },
  };
}
