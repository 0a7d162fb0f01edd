import type { MoveStep } from '#server/stores/open-move.ts';

const barWidth = 24;

/** Returns a step of a move as one line: a bar, the numbers, and how long the rest takes at this speed. */
export function progressLine({ doing, table, done, total }: MoveStep, elapsedMs: number): string {
  if (done === undefined || total === undefined || total === 0) return done === undefined ? doing : `${doing}: ${done}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * barWidth);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`;
  const leftMs = share > 0 ? (elapsedMs * (1 - share)) / share : undefined;
  const left = leftMs === undefined ? '' : `, ${durationWords(leftMs)} left`;
  return `${bar} ${Math.floor(share * 100)} % ${doing} ${table ?? ''}: ${done} of ${total} rows${left}`;
}

function durationWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
