import { nextTurn } from '../next-turn.ts';
import type { ChecksumAlgorithm } from './algorithms.ts';
import { crc32cPolynomial } from './crc32c.ts';
import { crc64NvmePolynomial, type Crc64 } from './crc64-nvme.ts';

/** The algorithms whose checksum of a whole file follows from those of its parts. */
export type CombinableAlgorithm = Extract<ChecksumAlgorithm, `CRC${string}`>;

export function isCombinable(algorithm: ChecksumAlgorithm): algorithm is CombinableAlgorithm {
  return algorithm.startsWith('CRC');
}

/** A range of bytes of which only the checksum is known. */
export interface CheckedStretch {
  readonly sizeBytes: number;
  /** In base64. */
  readonly value: string;
}

/** The width of a CRC and what it divides by, the lowest power first, as two halves; of 32 bits all is in `high`. */
interface Division {
  readonly bits: 32 | 64;
  readonly by: Crc64;
  /** Powers of x by place and digit. @see digitPowers */
  readonly places: Crc64[][];
}

/** How many are combined before other requests run: some 5 ms. */
const stretchesAtOnce = 500;

/** The power of 0: the lowest power stands in the highest bit. */
const one: Crc64 = { high: 0x80000000, low: 0 };

const divisions: Readonly<Record<CombinableAlgorithm, Division>> = {
  CRC32: { bits: 32, by: { high: 0xedb88320, low: 0 }, places: [] },
  CRC32C: { bits: 32, by: { high: crc32cPolynomial, low: 0 }, places: [] },
  CRC64NVME: { bits: 64, by: crc64NvmePolynomial, places: [] },
};

/**
 * Returns the CRC of consecutive ranges from those of each, without reading bytes. The bytes of a range shift the CRC
 * before it, which is a multiplication by a power of x in the field of remainders.
 */
export async function combineCrcs(
  algorithm: CombinableAlgorithm,
  stretches: readonly CheckedStretch[],
): Promise<string> {
  const division = divisions[algorithm];
  const powers = new Map<number, Crc64>();
  let whole: Crc64 = { high: 0, low: 0 };
  for (const [at, { sizeBytes, value }] of stretches.entries()) {
    if (at % stretchesAtOnce === stretchesAtOnce - 1) await nextTurn();
    let shift = powers.get(sizeBytes);
    if (!shift) powers.set(sizeBytes, (shift = powerOf(division, sizeBytes)));
    const shifted = multiply(division, shift, whole);
    const added = read(value);
    whole = { high: shifted.high ^ added.high, low: shifted.low ^ added.low };
  }
  return write(division, whole);
}

/**
 * Returns x to the power of eight times the number of bytes, as a product of one power for each digit to the base of
 * 256.
 */
function powerOf(division: Division, sizeBytes: number): Crc64 {
  let power = one;
  for (let rest = sizeBytes, place = 0; rest > 0; rest = Math.floor(rest / 256), place++) {
    const digit = rest % 256;
    if (digit > 0) power = multiply(division, digitPowers(division, place)[digit]!, power);
  }
  return power;
}

/** Returns the powers for all digits at a place. They are computed once. */
function digitPowers(division: Division, place: number): readonly Crc64[] {
  const { places } = division;
  for (let next = places.length; next <= place; next++) {
    // What the digit 256 would be at the place before; x to the power of 8 at the first.
    const unit =
      next === 0 ? { high: 0x00800000, low: 0 } : multiply(division, places[next - 1]![255]!, places[next - 1]![1]!);
    const powers = [one];
    while (powers.length < 256) powers.push(multiply(division, unit, powers.at(-1)!));
    places.push(powers);
  }
  return places[place]!;
}

/** Masks replace branches, of which the processor would predict every second one wrong. */
function multiply({ bits, by }: Division, a: Crc64, b: Crc64): Crc64 {
  let { high, low } = b;
  let productHigh = 0;
  let productLow = 0;
  for (let bit = 0; bit < bits; bit++) {
    const factor = -((bit < 32 ? a.high >>> (31 - bit) : a.low >>> (63 - bit)) & 1);
    productHigh ^= high & factor;
    productLow ^= low & factor;
    const odd = -((bits === 32 ? high : low) & 1);
    low = bits === 32 ? 0 : ((low >>> 1) | (high << 31)) ^ (by.low & odd);
    high = (high >>> 1) ^ (by.high & odd);
  }
  return { high: productHigh, low: productLow };
}

function read(value: string): Crc64 {
  const bytes = Buffer.from(value, 'base64');
  return { high: bytes.readUInt32BE(0), low: bytes.length === 8 ? bytes.readUInt32BE(4) : 0 };
}

function write({ bits }: Division, { high, low }: Crc64): string {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(high >>> 0, 0);
  bytes.writeUInt32BE(low >>> 0, 4);
  return bytes.subarray(0, bits / 8).toString('base64');
}
