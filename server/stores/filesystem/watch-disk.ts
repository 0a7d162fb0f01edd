import type { WatchedDisk } from './watched-disk.ts';

export interface DiskWatch {
  /** Waits for the look under way. */
  stop(): Promise<void>;
}

const usualPaceMs = 5_000;

/**
 * Looks at the disk every few seconds from now on, also while nobody uploads: the metrics show it, and the reserve is
 * filled again.
 */
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
