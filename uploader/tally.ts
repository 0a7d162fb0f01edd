import type { UploadProgress } from './options.ts';

/** Counts the bytes of one upload. */
export interface Tally {
  readonly progress: UploadProgress;
  /** Bytes of a part that are stored or on their way; 0 takes it back. The whole file is part 1 when it goes in one request. */
  set(part: number, bytes: number): void;
  /** Takes everything back. */
  clear(): void;
}

export function openTally(totalBytes: number, report: (progress: UploadProgress) => void): Tally {
  const byPart = new Map<number, number>();
  let sentBytes = 0;
  const tell = () => report({ sentBytes, totalBytes });
  return {
    get progress() {
      return { sentBytes, totalBytes };
    },
    set(part, bytes) {
      const before = byPart.get(part) ?? 0;
      if (before === bytes) return;
      byPart.set(part, bytes);
      sentBytes += bytes - before;
      tell();
    },
    clear() {
      if (sentBytes === 0) return;
      byPart.clear();
      sentBytes = 0;
      tell();
    },
  };
}
