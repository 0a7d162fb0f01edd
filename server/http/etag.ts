/**
 * Formats an `ETag` header. The tag of a file is chosen where its bytes are stored.
 *
 * @see server/features/files/upload/store-content.ts
 */
export function formatEtag(etag: string): string {
  return `"${etag}"`;
}

interface EntityTag {
  readonly weak: boolean;
  /** The text between the quotes. */
  readonly opaque: string;
}

/** RFC 9110 section 8.8.3.2: strong comparison needs two strong tags, weak comparison ignores their strength. */
export function anyTagMatches(header: string, etag: string | undefined, comparison: 'strong' | 'weak'): boolean {
  if (header.trim() === '*') return etag !== undefined;
  return entityTags(header).some((tag) => tag.opaque === etag && (comparison === 'weak' || !tag.weak));
}

/**
 * Parses a list of entity tags by the grammar of RFC 9110 section 8.8.3, which wants quotes. Returns undefined if it is
 * none. A tag `"*"` in quotes is left out, because it is no tag of ours and must not be taken for any file.
 */
export function parseEntityTags(header: string): EntityTag[] | undefined {
  const list = /^[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[ \t]*$/;
  return list.test(header) ? entityTags(header).filter(({ opaque }) => opaque !== '*') : undefined;
}

/**
 * Parses a list of entity tags. A comma may stand inside a tag's quotes. Tags without quotes count too, because S3
 * clients send them. Parsing ends at the first piece that is not a tag.
 */
function entityTags(header: string): EntityTag[] {
  const item = /[ \t,]*(?<weak>W\/)?(?:"(?<quoted>[\x21\x23-\x7e\x80-\xff]*)"|(?<bare>[^\s",]+))[ \t]*(?:,|$)/y;
  const tags: EntityTag[] = [];
  for (let match = item.exec(header); match !== null; match = item.exec(header)) {
    const { weak, quoted, bare } = match.groups ?? {};
    tags.push({ weak: weak !== undefined, opaque: quoted ?? bare ?? '' });
  }
  return tags;
}
