import { bytesOfHex, column, type Columns, hexOf, mapped } from './columns.ts';

/** The length of an MD5. */
const md5Bytes = 16;

/** An ETag. Nearly all are an MD5 in hexadecimal, which is stored as its bytes. The others are stored as their text. */
export const etagColumn: Columns<string> = mapped(column<Uint8Array>('etag'), etagOf, bytesOfEtag);

/** Reads an ETag from its column. */
export function etagOf(stored: Uint8Array): string {
  return stored.length === md5Bytes ? hexOf(stored) : Buffer.from(stored).toString();
}

function bytesOfEtag(etag: string): Uint8Array {
  const bytes = /^[0-9a-f]{32}$/.test(etag) ? bytesOfHex(etag) : Buffer.from(etag);
  if (etagOf(bytes) !== etag) throw new TypeError(`The ETag ${etag} cannot be told from an MD5.`);
  return bytes;
}
