import { dayMs } from '#server/domain/day.ts';

/** The units for which counts are stored, in ms, finest first. Each is a multiple of the one before, from 1970 UTC. */
export const resolutionsMs = [1000, 60_000, 3_600_000, dayMs] as const;

/** A range of whole units of one resolution, numbered from 1970 on. */
export interface Span {
  /** Index in {@link resolutionsMs}. */
  readonly resolution: number;
  readonly from: number;
  /** Exclusive. */
  readonly until: number;
}

/** How many units one step reads, for each resolution: a few milliseconds of work. */
const stepUnits = [900, 60, 12, 3] as const;

/**
 * Splits a window into whole units, as coarse as possible: a month from noon to noon is hours, days and hours. Reading
 * them costs little for any window, and is exact to the second.
 *
 * @param coarsestMs no unit is longer than this
 */
export function spansOf({ start, end }: { readonly start: number; readonly end: number }, coarsestMs: number): Span[] {
  let from = Math.ceil(Math.max(0, start) / resolutionsMs[0]);
  let until = Math.ceil(end / resolutionsMs[0]);
  const before: Span[] = [];
  const after: Span[] = [];
  let resolution = 0;
  for (; resolution + 1 < resolutionsMs.length && resolutionsMs[resolution + 1]! <= coarsestMs; resolution++) {
    const ratio = resolutionsMs[resolution + 1]! / resolutionsMs[resolution]!;
    const firstWhole = Math.ceil(from / ratio);
    const lastWhole = Math.floor(until / ratio);
    if (firstWhole >= lastWhole) break;
    before.push({ resolution, from, until: firstWhole * ratio });
    after.unshift({ resolution, from: lastWhole * ratio, until });
    from = firstWhole;
    until = lastWhole;
  }
  return [...before, { resolution, from, until }, ...after].filter((span) => span.from < span.until);
}

/** The most steps in which a span is read. */
const maxSteps = 400;

/** Splits spans into steps. Other requests run between them. */
export function stepsOf(spans: readonly Span[]): Span[] {
  return spans.flatMap(({ resolution, from, until }) => {
    const size = Math.max(stepUnits[resolution]!, Math.ceil((until - from) / maxSteps));
    return Array.from({ length: Math.ceil((until - from) / size) }, (_, step) => ({
      resolution,
      from: from + step * size,
      until: Math.min(until, from + (step + 1) * size),
    }));
  });
}
