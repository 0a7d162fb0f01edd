import type { WatchedDisk } from './watched-disk.ts';

export interface DiskWatch {
  /** Waits for the reading under way. */
  stop(): Promise<void>;
}

const usualPaceMs = 5_000;

/** Reads the free space every few seconds, also while nobody uploads: for the metrics, and to refill the reserve. */
export function watchDisk(
  disk: Pick<WatchedDisk, 'refresh'>,
  onFault: (error: unknown) => void,
  everyMs = usualPaceMs,
): DiskWatch {
  let looking: Promise<void> = Promise.resolve();
  const look = () => void (looking = looking.then(() => disk.refresh()).catch(onFault));
  const timer = setInterval(look, everyMs);
  timer.unref();
  look();
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
