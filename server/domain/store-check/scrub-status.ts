import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import { isRequested, type ScrubSettings } from './scrub.ts';
import type { ScrubPosition } from './table.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'storeCheck'>;
  readonly clock: Clock;
  readonly scrub?: Pick<ScrubSettings, 'periodMs'> | undefined;
}

/** How far the scrub is. */
export interface ScrubStatus {
  /** The time in which it reads every file once; null if it is switched off. */
  readonly periodMs: number | null;
  readonly damagedContents: number;
  /** Undefined before the first round. */
  readonly position: ScrubPosition | undefined;
  /** Sums over all accounts. Copies of a file count, although their content is read once. */
  readonly total: { readonly bytes: number; readonly files: number };
  /** How long the rest of the round takes; null when it has ended or has just begun. */
  readonly leftMs: number | null;
}

/** Returns how far the scrub is. */
export async function scrubStatus({ metadata: { read }, clock, scrub }: Deps): Promise<ScrubStatus> {
  const [position, damagedContents, { bytes, files }] = await Promise.all([
    read.storeCheck.scrubPosition(),
    read.storeCheck.damagedCount(),
    read.accounts.sums(),
  ]);
  const periodMs = scrub?.periodMs ?? null;
  const leftMs = position ? leftOf(position, bytes, { periodMs, now: clock.now() }) : null;
  return { periodMs, damagedContents, position, total: { bytes, files }, leftMs };
}

/** A round that an operator requested goes on at its speed so far. Any other takes its period. */
function leftOf(
  position: ScrubPosition,
  totalBytes: number,
  { periodMs, now }: { readonly periodMs: number | null; readonly now: number },
): number | null {
  const { beganAt, readBytes, endedAt } = position;
  if (endedAt !== null) return null;
  if (!isRequested(position)) return periodMs === null ? null : Math.max(0, beganAt + periodMs - now);
  const leftBytes = Math.max(0, totalBytes - readBytes);
  return readBytes === 0 || now <= beganAt ? null : ((now - beganAt) * leftBytes) / readBytes;
}
