import type { UploadProgress } from './options.ts';

/** Counts the bytes of one upload. */
export interface Tally {
  readonly progress: UploadProgress;
  /** Sets the bytes of a part that are stored or in flight; 0 resets it. A file sent in one request is part 1. */
  set(part: number, bytes: number): void;
  /** The same for a part that an earlier page or program sent, unless this one sent it. */
  keep(part: number, bytes: number): void;
  clear(): void;
}

export function openTally(totalBytes: number, report: (progress: UploadProgress) => void): Tally {
  const byPart = new Map<number, number>();
  const kept = new Map<number, number>();
  let sentBytes = 0;
  let resumedBytes = 0;
  const progress = () => ({ sentBytes, totalBytes, resumedBytes });
  const set = (part: number, bytes: number) => {
    const before = byPart.get(part) ?? 0;
    if (before === bytes) return;
    byPart.set(part, bytes);
    sentBytes += bytes - before;
    report(progress());
  };
  return {
    get progress() {
      return progress();
    },
    set(part, bytes) {
      // The part is sent again, so its bytes no longer count as resumed.
      resumedBytes -= kept.get(part) ?? 0;
      kept.delete(part);
      set(part, bytes);
    },
    keep(part, bytes) {
      if (byPart.get(part) === bytes) return;
      resumedBytes += bytes - (kept.get(part) ?? 0);
      kept.set(part, bytes);
      set(part, bytes);
    },
    clear() {
      if (sentBytes === 0) return;
      byPart.clear();
      kept.clear();
      sentBytes = 0;
      resumedBytes = 0;
      report(progress());
    },
  };
}
