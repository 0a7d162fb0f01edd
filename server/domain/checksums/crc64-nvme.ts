/** 64 bits as two unsigned numbers, because a bigint for each step would take a hundred times as long. */
export interface Crc64 {
  readonly high: number;
  readonly low: number;
}

/**
 * The polynomial of CRC-64/NVME, the lowest power first.
 * @see https://nvmexpress.org/specification/nvm-command-set-specification/
 */
export const crc64NvmePolynomial: Crc64 = { high: 0x9a6c9329, low: 0xac4bc9b5 };

/**
 * Eight tables of 256 entries, one after the other. Table n has the remainder of each byte followed by n zero bytes.
 */
const { highs, lows } = makeTables();

function makeTables(): { readonly highs: Uint32Array; readonly lows: Uint32Array } {
  const highs = new Uint32Array(8 * 256);
  const lows = new Uint32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let high = 0;
    let low = byte;
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = (low & 1) === 1;
      low = (low >>> 1) | (high << 31);
      high >>>= 1;
      if (isOdd) {
        low ^= crc64NvmePolynomial.low;
        high ^= crc64NvmePolynomial.high;
      }
    }
    highs[byte] = high;
    lows[byte] = low;
  }
  for (let at = 256; at < highs.length; at++) {
    const high = highs[at - 256]!;
    const low = lows[at - 256]!;
    lows[at] = ((low >>> 8) | (high << 24)) ^ lows[low & 255]!;
    highs[at] = (high >>> 8) ^ highs[low & 255]!;
  }
  return { highs, lows };
}

/**
 * Returns the CRC-64/NVME of bytes, computed eight at a step.
 *
 * @param before the CRC of the bytes before these
 */
export function crc64NvmeOf(bytes: Uint8Array, before: Crc64 = { high: 0, low: 0 }): Crc64 {
  let high = ~before.high;
  let low = ~before.low;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    low ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    high ^= bytes[at + 4]! | (bytes[at + 5]! << 8) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 24);
    const a = 1792 + (low & 255);
    const b = 1536 + ((low >>> 8) & 255);
    const c = 1280 + ((low >>> 16) & 255);
    const d = 1024 + (low >>> 24);
    const e = 768 + (high & 255);
    const f = 512 + ((high >>> 8) & 255);
    const g = 256 + ((high >>> 16) & 255);
    const h = high >>> 24;
    low = lows[a]! ^ lows[b]! ^ lows[c]! ^ lows[d]! ^ lows[e]! ^ lows[f]! ^ lows[g]! ^ lows[h]!;
    high = highs[a]! ^ highs[b]! ^ highs[c]! ^ highs[d]! ^ highs[e]! ^ highs[f]! ^ highs[g]! ^ highs[h]!;
  }
  for (; at < bytes.length; at++) {
    const index = (low ^ bytes[at]!) & 255;
    low = ((low >>> 8) | (high << 24)) ^ lows[index]!;
    high = (high >>> 8) ^ highs[index]!;
  }
  return { high: ~high >>> 0, low: ~low >>> 0 };
}
