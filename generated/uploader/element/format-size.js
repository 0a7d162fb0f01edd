// Made from uploader/ by `npm run generate`. Never edit it by hand.
const units = ['B', 'KB', 'MB', 'GB', 'TB'];
/** Formats bytes for people: `512 B`, `4.2 MB`. A KB is 1024 bytes, as in the service's limits. */
export function formatSize(bytes, locale = 'en') {
    let value = bytes;
    let unit = 0;
    while (value >= 1023.95 && unit < units.length - 1) {
        value /= 1024;
        unit++;
    }
    const maximumFractionDigits = unit === 0 || value >= 100 ? 0 : 1;
    return `${value.toLocaleString(locale, { maximumFractionDigits, useGrouping: false })} ${units[unit]}`;
}
