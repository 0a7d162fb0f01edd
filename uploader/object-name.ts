/** So that there is room for the sum. */
const mostCharacters = 110;
/** The same for a segment of a prefix, which takes 64. */
const mostSegmentCharacters = 55;
/** Of a prefix. */
const mostSegments = 8;
const mostPrefixCharacters = 256;
/** Endings that stand behind another one: `site.tar.gz`. */
const compressions = /\.[A-Za-z0-9]{1,16}\.(gz|bz2|xz|zst|br|lz4)$/i;

/**
 * A name that the contract allows, made of a file's own name: its extension is dropped (the server adds it), accents
 * are taken off, other characters become `-`. Where anything was changed or cut, a short sum of the whole name is
 * added, so that two such files do not replace each other. The same file gets the same name each time.
 *
 * @see openapi/schemas/ObjectName.yaml
 */
export function objectName(filename: string): string {
  return allowed(filename.replace(compressions, '').replace(/(?<=.)\.[^./]*$/, ''), filename, mostCharacters);
}

/** Where a file goes. */
export interface ObjectPlace {
  /** Left out for none. */
  readonly prefix?: string;
  readonly name: string;
}

/**
 * The prefix and the name of a file of a folder, `Holiday/2026/beach.jpg`. Its folders follow the prefix, as many as the contract takes;
 * the others, or all of them with `isFlat`, become a part of the name. So two files never get the same place by being moved together.
 *
 * @param prefix where the folder goes
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

/** @param whole what the sum is made of */
function allowed(stem: string, whole: string, most: number): string {
  const clean = stem
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[^A-Za-z0-9_]+/, '')
    .slice(0, most)
    .replace(/[.-]+$/, '');
  // What reads as an expiry mark is refused at the end of a name.
  if (clean === stem && clean !== '' && !/-ex[0-9]+h?$/.test(clean)) return clean;
  // One system writes an accent as a character of its own, another one does not.
  return `${clean === '' ? 'file' : clean}-${shortSum(whole.normalize('NFC'))}`;
}

/** FNV-1a over UTF-16 units, in 8 hexadecimal digits: to tell names apart, not to protect anything. */
function shortSum(text: string): string {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}
