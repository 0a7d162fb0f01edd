import type { TargetStatus, Upkeep } from '#server/domain/operator/upkeep.ts';
import type { ScrubStatus } from '#server/domain/store-check/scrub-status.ts';
import { timestamp, timestampOrNull } from '../../wire.ts';
import { dayMs } from '#server/domain/day.ts';

/** Returns backups and the scrub as the operator's API and `--json` show them. */
export function upkeepView({ backups, scrub }: Upkeep) {
  return { backups: backups.map(backupRunView), scrub: scrubView(scrub) };
}

/** Returns the last backup to a target. */
export function backupRunView({ run, includesRows, state, last }: TargetStatus) {
  const { doneBytes, totalBytes } = run;
  return {
    target: run.target,
    includes_rows: includesRows,
    state,
    started_at: timestamp(run.startedAt),
    seen_at: timestamp(run.seenAt),
    ended_at: timestampOrNull(run.endedAt),
    doing: run.doing,
    progress:
      doneBytes === null || totalBytes === null
        ? null
        : {
            bytes: doneBytes,
            total_bytes: totalBytes,
            files: run.doneFiles,
            total_files: run.totalFiles,
            seconds_left: state === 'running' ? secondsOf(leftMs(run, doneBytes, totalBytes)) : null,
          },
    error: run.error,
    last_generation: last ? { generation: last.generation, completed_at: timestamp(last.completedAt) } : null,
  };
}

/** Returns how far the scrub is. */
export function scrubView({ periodMs, damagedContents, position, total, leftMs: left }: ScrubStatus) {
  return {
    days: periodMs === null ? null : Math.round(periodMs / dayMs),
    damaged_files: damagedContents,
    round: position
      ? {
          started_at: timestamp(position.beganAt),
          requested: position.requestedAt !== null,
          ended_at: timestampOrNull(position.endedAt),
          progress: {
            bytes: position.readBytes,
            total_bytes: Math.max(total.bytes, position.readBytes),
            files: position.readFiles,
            total_files: Math.max(total.files, position.readFiles),
            seconds_left: secondsOf(left),
          },
        }
      : null,
  };
}

/** The rest takes as long as it did so far. */
function leftMs({ seenAt, stepBeganAt }: TargetStatus['run'], doneBytes: number, totalBytes: number): number | null {
  return doneBytes === 0 ? null : ((seenAt - stepBeganAt) * Math.max(0, totalBytes - doneBytes)) / doneBytes;
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : Math.ceil(ms / 1000);
}
