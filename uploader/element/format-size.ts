const units = ['B', 'KB', 'MB', 'GB'];

/** Bytes for people: `512 B`, `4.2 MB`. A KB is 1024 bytes, as in the service's limits. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} ${units[unit]}`;
}
