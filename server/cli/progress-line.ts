/** How far a command has come. */
export interface Progress {
  readonly doing: string;
  readonly done?: number | undefined;
  readonly total?: number | undefined;
}

const barWidth = 24;

/**
 * Returns a step of a command as one line: a bar, the numbers, and how long the rest takes at this speed.
 *
 * @param shown returns a number with its unit
 */
export function progressLine(
  { doing, done, total }: Progress,
  elapsedMs: number,
  shown: (count: number) => string,
): string {
  if (done === undefined || total === undefined || total === 0)
    return done === undefined ? doing : `${doing}: ${shown(done)}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * barWidth);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`;
  const leftMs = share > 0 ? (elapsedMs * (1 - share)) / share : undefined;
  const left = leftMs === undefined ? '' : `, ${durationText(leftMs)} left`;
  return `${bar} ${Math.floor(share * 100)} % ${doing}: ${shown(done)} of ${shown(total)}${left}`;
}

/** Returns a function that shows each step on the line of the terminal. The time left begins anew with each kind. */
export function stepsOnLine(show: (line: string) => void, shown: (count: number) => string): (step: Progress) => void {
  let [doing, startedAt, shownAt] = ['', 0, -Infinity];
  return (step) => {
    const now = performance.now();
    if (step.doing !== doing) [doing, startedAt] = [step.doing, now];
    else if (now - shownAt < leastPauseMs) return;
    shownAt = now;
    show(progressLine(step, now - startedAt, shown));
  };
}

/** A terminal is not written to more often. */
const leastPauseMs = 100;

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Returns a number of bytes as people read it: `12.3 GiB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${units[power]}`;
}

export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
