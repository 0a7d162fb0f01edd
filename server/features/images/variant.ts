import { Refusal } from '#server/domain/refusal.ts';

export const imageFormats = ['jpeg', 'png', 'webp', 'avif'] as const;

export type ImageFormat = (typeof imageFormats)[number];

const fits = ['contain', 'cover'] as const;

/** The most pixels of a variant in each direction. */
const mostPixels = 4096;

/** An image in another size or format. */
export interface Variant {
  /** At least one of the two is set. */
  readonly width: number | null;
  readonly height: number | null;
  /** Whether the whole image fits into the box, or fills it and is cut. */
  readonly fit: (typeof fits)[number];
  /** From 1 to 100. Null: the standard of the format. */
  readonly quality: number | null;
  readonly format: ImageFormat | 'auto';
}

/** The parameters of a variant, as they stand in an address. */
export type VariantFields = Readonly<Partial<Record<(typeof variantNames)[number], string>>>;

const variantNames = ['w', 'h', 'fit', 'q', 'f'] as const;

/** All parameters that ask for a variant. `sig` alone asks for none. */
export const variantParameters: readonly string[] = [...variantNames, 'preset'];

/**
 * Parses the parameters of a variant.
 *
 * @throws INVALID_IMAGE_VARIANT
 */
export function parseVariant({ w, h, fit = 'contain', q, f = 'auto' }: VariantFields): Variant {
  const variant = {
    width: w === undefined ? null : wholeNumber(w, mostPixels),
    height: h === undefined ? null : wholeNumber(h, mostPixels),
    fit: oneOf(fit, fits),
    quality: q === undefined ? null : wholeNumber(q, 100),
    format: oneOf(f, ['auto', ...imageFormats] as const),
  };
  if (variant.width === null && variant.height === null) throw new Refusal('INVALID_IMAGE_VARIANT');
  return variant;
}

function wholeNumber(text: string, most: number): number {
  if (/^[1-9][0-9]{0,3}$/.test(text) && Number(text) <= most) return Number(text);
  throw new Refusal('INVALID_IMAGE_VARIANT');
}

function oneOf<T extends string>(text: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === text);
  if (found === undefined) throw new Refusal('INVALID_IMAGE_VARIANT');
  return found;
}

/** Formats a variant in one canonical form, which signatures cover. */
export function formatVariant({ width, height, fit, quality, format }: Variant): string {
  const fields = { w: width, h: height, fit, q: quality, f: format };
  return Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}
