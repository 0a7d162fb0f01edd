import { formatObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import { objectInfo } from '../object-info.ts';
import type { Disposition, StoredObject } from '../object.ts';
import { isAtPublicUrl } from '../public-url.ts';
import { servingOf } from '../serving.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { formatDownloadToken } from './download-link.ts';

interface Deps {
  readonly metadata: Reads<'objects'>;
  readonly secrets: Pick<Secrets, 'sign'>;
  readonly clock: Clock;
}

interface CreateDownloadLink {
  readonly address: ObjectAddress;
  readonly lifetimeMs: number;
  readonly disposition: Disposition | undefined;
  /** Without characters that filenames cannot contain. */
  readonly filename: string | undefined;
}

interface CreatedDownloadLink {
  readonly object: StoredObject;
  /** Undefined when the public URL serves the file. */
  readonly link: { readonly token: string; readonly expiresAt: number } | undefined;
}

/**
 * Creates a temporary link to a file if it needs one. A private file needs one, and so does a request for a certain
 * disposition or filename. A legacy file needs one if its public URL is another file's. A link ends with its file at
 * the latest.
 *
 * @throws OBJECT_NOT_FOUND
 */
export async function createDownloadLink(
  deps: Deps,
  { address, lifetimeMs, disposition, filename }: CreateDownloadLink,
): Promise<CreatedDownloadLink> {
  const object = await objectInfo(deps, address);
  const isPlain = disposition === undefined && filename === undefined;
  if (isPlain && (await isAtPublicUrl(deps, object))) return { object, link: undefined };
  const serving = servingOf(object);
  const expiresAt = Math.min(deps.clock.now() + lifetimeMs, object.expiresAt ?? Infinity);
  const token = formatDownloadToken(deps.secrets, {
    accountId: object.accountId,
    objectId: formatObjectId(object),
    generation: object.generation,
    expiresAt,
    disposition: disposition ?? (filename === undefined ? (serving.disposition ?? 'inline') : 'attachment'),
    filename: filename ?? serving.filename,
  });
  return { object, link: { token, expiresAt } };
}
