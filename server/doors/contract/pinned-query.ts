import { isMetadataText } from '#server/domain/object-metadata.ts';
import type { UploadPins } from '#server/domain/access/upload-token.ts';
import type { RawQuery } from '#server/http/query.ts';

/** Query parameters of an upload, and the pin that wins over each. */
const pinOf = { name: 'name', prefix: 'prefix', private: 'isPrivate', expire: 'expire' } as const satisfies Readonly<
  Record<string, keyof UploadPins>
>;

/**
 * The query of an upload with a token, without what the token settles: there a value is not even looked at, whatever it
 * is. Metadata is added to what the token pins, so it is looked at where it is some. The hash is the token's to say in
 * any case.
 */
export function withoutPinned(query: RawQuery, pins: UploadPins): RawQuery {
  const left = new Map(query);
  for (const [name, pin] of Object.entries(pinOf)) if (pins[pin] !== undefined) left.delete(name);
  if (pins.securityHash !== undefined || pins.name !== undefined) left.delete('security_hash');
  const [metadata, ...others] = query.get('metadata') ?? [];
  if (pins.metadata && metadata !== undefined && (others.length > 0 || !isMetadataText(metadata)))
    left.delete('metadata');
  return left;
}
