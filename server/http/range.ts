import rangeParser from 'range-parser';

/** A run of bytes, both ends included and counted from 0, as HTTP writes it: `{ start: 0, end: 499 }` is 500 bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * What a `Range` header asks of one representation: the whole of it (`none`), something outside of it
 * (`unsatisfiable`, answered 416), or one run of its bytes (`single`, answered 206).
 */
export type RangeChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'single'; readonly start: number; readonly end: number };

const INT_RANGE = /^(\d+)-(\d*)$/;
const SUFFIX_RANGE = /^-(\d+)$/;

/**
 * Chooses the bytes to serve for a `Range` header (RFC 9110 section 14.2).
 *
 * One range is served and never a `multipart/byteranges`: several ranges that overlap or touch are served as the one
 * they make together, others get the whole representation. A header that is malformed, or in another unit than
 * bytes, is ignored. Nothing of an empty representation can be asked for.
 *
 * @param header the raw header; `undefined` when the request has none
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

/** The range specs of a valid `bytes=` header, else `undefined`. */
function rangeSpecs(header: string | undefined): string[] | undefined {
  const set = /^\s*bytes=(.*)$/i.exec(header ?? '')?.[1];
  const specs = set?.split(',').map((spec) => spec.trim());
  return specs?.every(isRangeSpec) ? specs : undefined;
}

function isRangeSpec(spec: string): boolean {
  const int = INT_RANGE.exec(spec);
  if (int === null) return SUFFIX_RANGE.test(spec);
  // "An int-range is invalid if the last-pos value is present and less than first-pos" (14.1.1). The library calls it
  // unsatisfiable, so it has to be told apart here.
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
