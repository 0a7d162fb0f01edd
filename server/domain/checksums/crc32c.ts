/** The polynomial of CRC-32C, the lowest power first. @see RFC 3720, appendix B.4 */
export const crc32cPolynomial = 0x82f63b78;

/**
 * Eight tables of 256 entries, one after the other. Table n has the remainder of each byte followed by n zero bytes.
 */
const tables = makeTables();

function makeTables(): Uint32Array {
  const made = new Uint32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ crc32cPolynomial : rest >>> 1;
    made[byte] = rest;
  }
  for (let at = 256; at < made.length; at++) {
    const before = made[at - 256]!;
    made[at] = (before >>> 8) ^ made[before & 255]!;
  }
  return made;
}

/**
 * Returns the CRC-32C of bytes, computed eight at a step.
 *
 * @param before the CRC of the bytes before these
 */
export function crc32cOf(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      tables[1792 + (crc & 255)]! ^
      tables[1536 + ((crc >>> 8) & 255)]! ^
      tables[1280 + ((crc >>> 16) & 255)]! ^
      tables[1024 + (crc >>> 24)]! ^
      tables[768 + bytes[at + 4]!]! ^
      tables[512 + bytes[at + 5]!]! ^
      tables[256 + bytes[at + 6]!]! ^
      tables[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ tables[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}
