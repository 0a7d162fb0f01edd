import { isMetadataText } from '#server/domain/object-metadata.ts';
import type { PinnedOptions } from '#server/domain/access/upload-token.ts';
import type { RawQuery } from '#server/http/query.ts';

/** The query parameters of an upload that a token can pin, and the pin that overrides each. */
const pinOf = { name: 'name', prefix: 'prefix', private: 'isPrivate', expire: 'expire' } as const satisfies Readonly<
  Record<string, keyof PinnedOptions>
>;

/**
 * Returns the query of an upload without the parameters that its token pins, so their values are never checked. A
 * pinned hash or name also drops `security_hash`. Metadata is added to the pinned metadata, so it is dropped only when
 * it is repeated or malformed.
 */
export function withoutPinned(query: RawQuery, pins: PinnedOptions): RawQuery {
  const left = new Map(query);
  for (const [name, pin] of Object.entries(pinOf)) if (pins[pin] !== undefined) left.delete(name);
  if (pins.securityHash !== undefined || pins.name !== undefined) left.delete('security_hash');
  const [metadata, ...others] = query.get('metadata') ?? [];
  if (pins.metadata && metadata !== undefined && (others.length > 0 || !isMetadataText(metadata)))
    left.delete('metadata');
  return left;
}
