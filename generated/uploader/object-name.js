// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Endings that stand behind another one: `site.tar.gz`. */
const compressions = /\.[A-Za-z0-9]{1,16}\.(gz|bz2|xz|zst|br|lz4)$/i;
/**
 * A name that the contract allows, made of a file's own name: its extension is dropped (the server adds it), accents
 * are taken off, other characters become `-`. Where letters of other scripts got lost, a short sum of the whole name is
 * added, so that two such files do not replace each other. The same file gets the same name each time.
 *
 * @see ObjectName in the contract
 */
export function objectName(filename) {
    const stem = filename.replace(compressions, '').replace(/(?<=.)\.[^.]*$/, '');
    const plain = stem.normalize('NFKD').replace(/\p{M}/gu, '');
    const isLossy = /[^\P{L}A-Za-z]|[^\P{N}0-9]/u.test(plain);
    const clean = plain
        .replace(/[^A-Za-z0-9_.-]+/g, '-')
        .replace(/\.{2,}/g, '.')
        .replace(/^[^A-Za-z0-9_]+/, '')
        .slice(0, 110)
        .replace(/[.-]+$/, '');
    const named = clean === '' ? 'file' : clean;
    const full = isLossy || clean === '' ? `${named}-${shortSum(filename)}` : named;
    // What reads as an expiry mark is refused at the end of a name.
    return /-ex[0-9]+h?$/.test(full) ? `${full}_` : full;
}
/** FNV-1a over UTF-16 units, in 8 hexadecimal digits: to tell names apart, not to protect anything. */
function shortSum(text) {
    let sum = 0x811c9dc5;
    for (let index = 0; index < text.length; index++)
        sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
    return (sum >>> 0).toString(16).padStart(8, '0');
}
