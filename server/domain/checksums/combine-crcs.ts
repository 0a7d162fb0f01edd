import { nextTurn } from '#server/event-loop.ts';
import type { ChecksumAlgorithm } from './algorithms.ts';
import { crc32cPolynomial } from './crc32c.ts';
import { crc64NvmePolynomial, type Crc64 } from './crc64-nvme.ts';

/** The algorithms that can compute the checksum of a whole file from those of its parts. */
type CombinableAlgorithm = Extract<ChecksumAlgorithm, `CRC${string}`>;

export function isCombinable(algorithm: ChecksumAlgorithm): algorithm is CombinableAlgorithm {
  return algorithm.startsWith('CRC');
}

/** A range of bytes, known only by its size and checksum. */
export interface CheckedStretch {
  readonly sizeBytes: number;
  /** In base64. */
  readonly value: string;
}

/** The width of a CRC and its polynomial, the lowest power first, in two halves. One of 32 bits is all in `high`. */
interface Division {
  readonly bits: 32 | 64;
  readonly by: Crc64;
  /** Powers of x by place and digit. @see digitPowers */
  readonly places: Crc64[][];
}

/** How many ranges are combined before other requests run: some 5 ms. */
const stretchesAtOnce = 500;

/** x to the power of 0. The lowest power is in the highest bit. */
const one: Crc64 = { high: 0x80000000, low: 0 };

const divisions: Readonly<Record<CombinableAlgorithm, Division>> = {
  CRC32: { bits: 32, by: { high: 0xedb88320, low: 0 }, places: [] },
  CRC32C: { bits: 32, by: { high: crc32cPolynomial, low: 0 }, places: [] },
  CRC64NVME: { bits: 64, by: crc64NvmePolynomial, places: [] },
};

/**
 * Returns the CRC of consecutive ranges, computed from the CRC of each, without reading bytes. The bytes of a range
 * shift the CRC of the ranges before it. A shift is a multiplication by a power of x, modulo the polynomial.
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

/** Returns the CRC-32 of consecutive ranges, as a number. @see combineCrcs */
export async function combineCrc32s(
  ranges: ReadonlyArray<{ readonly sizeBytes: number; readonly crc32: number }>,
): Promise<number> {
  const [only, ...others] = ranges;
  if (only && others.length === 0) return only.crc32;
  const stretches = ranges.map(({ sizeBytes, crc32 }) => ({ sizeBytes, value: base64Of(crc32) }));
  return Buffer.from(await combineCrcs('CRC32', stretches), 'base64').readUInt32BE();
}

function base64Of(crc32: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32);
  return bytes.toString('base64');
}

/**
 * Returns x to the power of eight times the number of bytes. It multiplies one power for each digit of that number in
 * base 256.
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
    // The power for the digit 1. At the first place it is x to the power of 8. At the others it is the power that a
    // digit 256 at the place before would have.
    const unit =
      next === 0 ? { high: 0x00800000, low: 0 } : multiply(division, places[next - 1]![255]!, places[next - 1]![1]!);
    const powers = [one];
    while (powers.length < 256) powers.push(multiply(division, unit, powers.at(-1)!));
    places.push(powers);
  }
  return places[place]!;
}

/**
 * Multiplies modulo the polynomial. Masks replace branches, because the processor would mispredict every second one.
 */
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
