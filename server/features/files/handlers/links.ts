import type { FilesHandlers } from '#generated/router.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { Call } from '#server/handlers/call.ts';
import type { Ports } from '#server/handlers/ports.ts';
import { openDownloadLink } from '../links/open-download-link.ts';
import { openContent } from '#server/domain/contents/read-content.ts';
import { servedType } from '../file-type.ts';
import { linkedRepresentation } from './file-representation.ts';
import { parametersOf, variantOf, type FileVariants } from './file-variants.ts';
import { servedElsewhere, type ElsewhereDeps } from './served-elsewhere.ts';

interface Deps extends ElsewhereDeps, Pick<Ports, 'metadata' | 'blobs' | 'filesHost'> {
  readonly secrets: Pick<Secrets, 'verify'>;
  /** Undefined if the server makes none. */
  readonly variants: FileVariants | undefined;
}

/** Returns the handler for files through temporary links. */
export function linkHandlers(deps: Deps): Pick<FilesHandlers<Call>, 'openDownloadLink'> {
  return {
    async openDownloadLink({ path, query }, { asks }) {
      const { link, object, content } = await openDownloadLink(deps, path.token);
      const { contentType, isAttachment } = servedType(object.key);
      const disposition = isAttachment ? 'attachment' : link.disposition;
      const serving = { contentType, disposition, filename: link.filename };
      const file = linkedRepresentation(object, serving, (range) => openContent(deps, content, range));
      const variant = await variantOf(deps.variants, {
        accountId: link.accountId,
        address: `${deps.filesHost}/d/${path.token}`,
        parameters: parametersOf(query),
        accept: asks.accept,
        content,
        file,
        serving,
      });
      if (variant) return { status: 200, body: variant };
      const endsAt = Math.min(link.expiresAt, object.expiresAt ?? Infinity);
      return { status: 200, body: servedElsewhere(deps, content, file, { endsAt, cacheControl: 'no-store' }) };
    },
  };
}
