/** So that there is room for the sum. */
const mostCharacters = 110;
/** Endings that stand behind another one: `site.tar.gz`. */
const compressions = /\.[A-Za-z0-9]{1,16}\.(gz|bz2|xz|zst|br|lz4)$/i;

/**
 * A name that the contract allows, made of a file's own name: its extension is dropped (the server adds it), accents
 * are taken off, other characters become `-`. Where anything was changed or cut, a short sum of the whole name is
 * added, so that two such files do not replace each other. The same file gets the same name each time.
 *
 * @see ObjectName in the contract
 */
export function objectName(filename: string): string {
  const stem = filename.replace(compressions, '').replace(/(?<=.)\.[^.]*$/, '');
  const clean = stem
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[^A-Za-z0-9_]+/, '')
    .slice(0, mostCharacters)
    .replace(/[.-]+$/, '');
  // What reads as an expiry mark is refused at the end of a name.
  if (clean === stem && clean !== '' && !/-ex[0-9]+h?$/.test(clean)) return clean;
  // One system writes an accent as a character of its own, another one does not.
  return `${clean === '' ? 'file' : clean}-${shortSum(filename.normalize('NFC'))}`;
}

/** FNV-1a over UTF-16 units, in 8 hexadecimal digits: to tell names apart, not to protect anything. */
function shortSum(text: string): string {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}
