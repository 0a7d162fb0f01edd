import type { Command } from 'commander';

import { upkeep } from '#server/domain/operator/upkeep.ts';
import { upkeepView } from '#server/handlers/operator/views/upkeep.ts';
import { columns } from '../columns.ts';
import type { Answer, Operator, Stores } from '../operator.ts';
import { bytesText, durationText } from '../progress-line.ts';
import { scrubText } from '../scrub/scrub-text.ts';

type Run = ReturnType<typeof upkeepView>['backups'][number];

export function addUpkeepShow(parent: Command, operator: Operator): void {
  operator.list(
    parent.command('show').description('show the last backup to each target and the scrub, with their progress'),
    show,
  );
}

async function show(stores: Stores): Promise<Answer> {
  const json = upkeepView(await upkeep(stores));
  const rows = json.backups.map((run) => [
    run.target,
    run.state,
    progressText(run),
    run.last_generation?.completed_at ?? 'never',
  ]);
  const backups =
    rows.length === 0
      ? 'There was no backup yet. "cubby backup" makes one.'
      : columns([['TARGET', 'LAST BACKUP', 'PROGRESS', 'LAST WHOLE ONE'], ...rows]);
  return { json, text: `${backups}\n\n${scrubText(json.scrub)}` };
}

function progressText({ doing, progress, state, error }: Run): string {
  if (state === 'failed') return error ?? '';
  if (state === 'done') return '';
  if (!progress) return doing;
  const { bytes, total_bytes: totalBytes, files, total_files: totalFiles, seconds_left: left } = progress;
  const share = files === null || totalFiles === null ? '' : `, ${files} of ${totalFiles} files`;
  const rest = left === null ? '' : `, ${durationText(left * 1000)} left`;
  return `${doing}: ${bytesText(bytes)} of ${bytesText(totalBytes)}${share}${rest}`;
}
