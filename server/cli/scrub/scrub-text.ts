import type { scrubView } from '#server/handlers/operator/views/upkeep.ts';
import { bytesText, durationText } from '../progress-line.ts';

/** Returns how far the scrub is, for people. */
export function scrubText({ days, damaged_files: damaged, round }: ReturnType<typeof scrubView>): string {
  const pace = days === null ? 'is switched off (CUBBY_SCRUB_DAYS=0)' : `reads every file once in ${days} days`;
  const state =
    damaged === 0
      ? 'No file is known to be damaged.'
      : `${damaged} FILES ARE DAMAGED. "cubby store check --bytes" names them.`;
  return `The scrub ${pace}. ${state}${round ? `\n${roundText(round)}` : ''}`;
}

function roundText({
  started_at: startedAt,
  requested,
  ended_at: endedAt,
  progress,
}: NonNullable<ReturnType<typeof scrubView>['round']>): string {
  const { bytes, total_bytes: totalBytes, files, total_files: totalFiles, seconds_left: left } = progress;
  const whose = requested ? 'The round that an operator started' : 'The round that began';
  const read = `${bytesText(bytes)} of ${bytesText(totalBytes)}, ${files} of ${totalFiles} files`;
  if (endedAt !== null) return `${whose} at ${startedAt} ended at ${endedAt}: ${read}.`;
  return `${whose} at ${startedAt} has read ${read}${left === null ? '' : `, ${durationText(left * 1000)} left`}.`;
}
