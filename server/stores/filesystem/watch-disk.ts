import type { WatchedDisk } from './watched-disk.ts';

interface DiskWatch {
  /** Stops the timer, and waits for the current reading. */
  stop(): Promise<void>;
}

const usualPaceMs = 5_000;

/**
 * Reads the free space every few seconds, also while nobody uploads. The metrics and the refill of the reserve need it.
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
