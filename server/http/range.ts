import rangeParser from 'range-parser';

/**
 * A range of bytes, both ends included and counted from 0, as in HTTP: `{ start: 0, end: 499 }` is 500 bytes.
 * server/domain/ports/blobs.ts has the same type, because neither of the two layers may import the other.
 */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The bytes to serve for a `Range` header:
 * - `none` (200): the whole representation.
 * - `unsatisfiable` (416): nothing, because the range lies outside.
 * - `single` (206): one range.
 */
type RangeChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'single'; readonly start: number; readonly end: number };

const INT_RANGE = /^(\d+)-(\d*)$/;
const SUFFIX_RANGE = /^-(\d+)$/;

/**
 * Parses a `Range` header and chooses the bytes to serve (RFC 9110 section 14.2).
 *
 * It never chooses several ranges. Ranges that overlap or touch are joined into one. For others the whole
 * representation is served. A malformed header, or one in another unit than bytes, is ignored. For an empty
 * representation every range is unsatisfiable.
 *
 * @param header the raw header, or `undefined` if the request has none
 * @param sizeBytes the length of the representation
 */
export function parseRange(header: string | undefined, sizeBytes: number): RangeChoice {
  const specs = rangeSpecs(header);
  if (specs === undefined) return { kind: 'none' };

  const wanted = specs.map((spec) => clampSuffix(spec, sizeBytes)).join(',');
  const ranges = rangeParser(sizeBytes, `bytes=${wanted}`, { combine: true });
  if (ranges === -1) return { kind: 'unsatisfiable' };
  if (ranges === -2) return { kind: 'none' };
  const [first, ...others] = ranges;
  if (first === undefined || others.length > 0) return { kind: 'none' };
  return { kind: 'single', start: first.start, end: first.end };
}

/** Returns the range specs of a valid `bytes=` header, otherwise `undefined`. */
function rangeSpecs(header: string | undefined): string[] | undefined {
  const set = /^\s*bytes=(.*)$/i.exec(header ?? '')?.[1];
  const specs = set?.split(',').map((spec) => spec.trim());
  return specs?.every(isRangeSpec) ? specs : undefined;
}

function isRangeSpec(spec: string): boolean {
  const int = INT_RANGE.exec(spec);
  if (int === null) return SUFFIX_RANGE.test(spec);
  // "An int-range is invalid if the last-pos value is present and less than first-pos" (14.1.1). The library calls it
  // unsatisfiable instead.
  const [, first, last] = int;
  return last === '' || Number(first) <= Number(last);
}

/**
 * "If the selected representation is shorter than the specified suffix-length, the entire representation is used"
 * (14.1.2). The library would drop such a range.
 */
function clampSuffix(spec: string, sizeBytes: number): string {
  const suffix = SUFFIX_RANGE.exec(spec);
  return suffix === null ? spec : `-${Math.min(Number(suffix[1]), sizeBytes)}`;
}
