import type { UploadProgress } from './options.ts';

/** Counts the bytes of one upload. */
export interface ProgressCounter {
  readonly current: UploadProgress;
  /**
   * Sets the bytes of a part that are stored or in flight, where 0 resets it. A file sent in one request is part 1.
   */
  set(part: number, bytes: number): void;
  /** The same for a part that an earlier page or program sent, unless this one sent it. */
  resume(part: number, bytes: number): void;
  clear(): void;
}

export function progressCounter(totalBytes: number, report: (progress: UploadProgress) => void): ProgressCounter {
  const byPart = new Map<number, number>();
  const resumed = new Map<number, number>();
  let sentBytes = 0;
  let resumedBytes = 0;
  const current = () => ({ sentBytes, totalBytes, resumedBytes });
  const set = (part: number, bytes: number) => {
    const before = byPart.get(part) ?? 0;
    if (before === bytes) return;
    byPart.set(part, bytes);
    sentBytes += bytes - before;
    report(current());
  };
  return {
    get current() {
      return current();
    },
    set(part, bytes) {
      // The part is sent again, so its bytes no longer count as resumed.
      resumedBytes -= resumed.get(part) ?? 0;
      resumed.delete(part);
      set(part, bytes);
    },
    resume(part, bytes) {
      if (byPart.get(part) === bytes) return;
      resumedBytes += bytes - (resumed.get(part) ?? 0);
      resumed.set(part, bytes);
      set(part, bytes);
    },
    clear() {
      if (sentBytes === 0) return;
      byPart.clear();
      resumed.clear();
      sentBytes = 0;
      resumedBytes = 0;
      report(current());
    },
  };
}
