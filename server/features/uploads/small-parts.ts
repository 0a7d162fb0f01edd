import type { StoredPart } from './chunked-upload.ts';
import { leastCutPartBytes } from './limits.ts';

/** Small parts of similar size that are merged together. */
const partsOfTier = 8;

/**
 * Returns the parts to merge into one, or undefined if there are few small ones.
 *
 * Small parts at the end are merged when they make a whole part together. Before that, eight of a similar size are
 * merged. So even tiny requests leave only dozens of parts, and a byte is copied a few times at most.
 *
 * @param parts ordered by number
 */
export function partsToMerge(parts: readonly StoredPart[]): readonly StoredPart[] | undefined {
  const small = endOf(parts, ({ blob }) => blob.sizeBytes < leastCutPartBytes);
  const smallBytes = small.reduce((sum, { blob }) => sum + blob.sizeBytes, 0);
  if (small.length > 1 && smallBytes >= leastCutPartBytes) return small;
  const last = small.at(-1);
  if (!last) return undefined;
  const similar = endOf(small, (part) => tierOf(part) <= tierOf(last));
  return similar.length >= partsOfTier ? similar : undefined;
}

/** The longest end of the list whose parts all fulfil the condition. */
function endOf(parts: readonly StoredPart[], isIn: (part: StoredPart) => boolean): readonly StoredPart[] {
  return parts.slice(parts.findLastIndex((part) => !isIn(part)) + 1);
}

/** Grows by one with each eightfold size. */
function tierOf({ blob: { sizeBytes } }: StoredPart): number {
  return Math.floor(Math.log2(Math.max(1, sizeBytes)) / Math.log2(partsOfTier));
}
