/** Leaves space for the appended checksum. */
const mostCharacters = 110;
/** The same for a segment of a prefix, which may have 64 characters. */
const mostSegmentCharacters = 55;
/** Limit of a prefix. */
const mostSegments = 8;
const mostPrefixCharacters = 256;
/** Extensions that follow another extension: `site.tar.gz`. */
const compressions = /\.[A-Za-z0-9]{1,16}\.(gz|bz2|xz|zst|br|lz4)$/i;

/**
 * Makes a name that the contract allows from a file name. Drops the extension (the server adds it), strips accents and
 * replaces other characters with `-`. If anything was changed or cut, a short checksum of the full file name is
 * appended. So two different files do not replace each other, and one file always gets the same name.
 *
 * @see openapi/schemas/files/ObjectName.yaml
 */
export function objectName(filename: string): string {
  return allowed(filename.replace(compressions, '').replace(/(?<=.)\.[^./]*$/, ''), filename, mostCharacters);
}

/** The destination of a file. */
export interface ObjectPlace {
  /** Absent without a prefix. */
  readonly prefix?: string;
  readonly name: string;
}

/**
 * Returns the prefix and the name for a file in a folder, such as `Holiday/2026/beach.jpg`. The folders extend the
 * prefix as far as the contract allows. The other folders become part of the name, or all of them with `isFlat`. So no
 * two files of a folder get the same destination.
 *
 * @param prefix the destination of the folder
 */
export function objectPlace(path: string, prefix = '', isFlat = false): ObjectPlace {
  const segments = prefix.split('/').filter(Boolean);
  const rest = path.split('/').filter(Boolean);
  while (!isFlat && rest.length > 1 && segments.length < mostSegments) {
    const next = allowed(rest[0]!, rest[0]!, mostSegmentCharacters);
    if ([...segments, next].join('/').length > mostPrefixCharacters) break;
    segments.push(next);
    rest.shift();
  }
  return { ...(segments.length > 0 && { prefix: segments.join('/') }), name: objectName(rest.join('/')) };
}

/** @param whole the text to compute the checksum from */
function allowed(stem: string, whole: string, most: number): string {
  const clean = stem
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[^A-Za-z0-9_]+/, '')
    .slice(0, most)
    .replace(/[.-]+$/, '');
  // The server rejects a name that ends in an expiry mark.
  if (clean === stem && clean !== '' && !/-ex[0-9]+h?$/.test(clean)) return clean;
  // Some systems write an accent as a separate character. NFC makes both forms equal.
  return `${clean === '' ? 'file' : clean}-${shortSum(whole.normalize('NFC'))}`;
}

/** FNV-1a over UTF-16 units, as 8 hexadecimal digits. It tells names apart and protects nothing. */
function shortSum(text: string): string {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}
