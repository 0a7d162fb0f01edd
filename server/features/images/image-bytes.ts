import type { ImageFormat } from './variant.ts';

/** The bytes at the beginning of a file that tell its format. */
export const headBytes = 64;

/** Brands of AVIF. HEIC has the same container and others. `avis` are sequences. */
const avifBrands = ['avif', 'avis'];

/** Returns the format of an image by its first bytes, whatever its name says. Undefined for all other files. */
export function formatOf(head: Buffer): ImageFormat | undefined {
  if (head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg';
  if (head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'png';
  const text = head.toString('latin1');
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  if (text.slice(4, 8) !== 'ftyp') return undefined;
  const sizeBytes = head.length < 4 ? 0 : head.readUInt32BE(0);
  const brands = text.slice(8, Math.min(sizeBytes, headBytes)).match(/[^]{4}/g) ?? [];
  return brands.some((brand) => avifBrands.includes(brand)) ? 'avif' : undefined;
}
