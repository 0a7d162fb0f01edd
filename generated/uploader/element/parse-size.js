// Made from uploader/ by `npm run generate`. Never edit it by hand.
const powers = { '': 0, K: 1, M: 2, G: 3 };
/**
 * Parses a size such as `10MB`, `500 KiB` or `1048576` into bytes. A KB is 1024 bytes, as in the service's limits.
 * Returns `undefined` for other text.
 */
export function parseSize(text) {
    const [, value, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(?:([KMG])i?B?|B)?\s*$/i.exec(text) ?? [];
    return value === undefined ? undefined : Math.round(Number(value) * 1024 ** powers[unit.toUpperCase()]);
}
