/** RFC 9110, section 8.3.1: `type "/" subtype parameters`. Prism fails at anything else. */
const mediaType =
  /^([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)((?:\s*;\s*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[^"\\]*"))*)$/;

/** Returns the media types of an `Accept` header that can be read. Undefined for none. */
export function mediaTypesOf(accept: string | undefined): string | undefined {
  const readable = accept
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => mediaType.test(part));
  return readable?.length ? readable.join(', ') : undefined;
}
