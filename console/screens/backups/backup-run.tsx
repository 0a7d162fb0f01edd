import type { OperatorBackupRun } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { Facts } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';
import { RunProgress } from '../overview/run-progress.tsx';

const tones: Readonly<Partial<Record<OperatorBackupRun['state'], string>>> = {
  done: 'good',
  failed: 'bad',
  lost: 'bad',
};

/** The last backup to a target, running or ended. */
export function BackupRun({ run }: { readonly run: OperatorBackupRun }) {
  const text = messages().backups;
  return (
    <section class="card">
      <h2>
        {text.lastRun} <span class={`badge ${tones[run.state] ?? ''}`}>{text.states[run.state]}</span>
      </h2>
      {run.error !== null && <p class="problem-text">{run.error}</p>}
      {run.state === 'running' && run.progress && <RunProgress label={run.doing} progress={run.progress} />}
      <Facts
        rows={[
          [text.target, <code>{run.target}</code>],
          [text.contents, run.includes_rows ? text.all : text.onlyFiles],
          [text.doing, run.state === 'running' && run.doing],
          [text.startedAt, <Time at={run.started_at} />],
          [text.endedAt, run.ended_at && <Time at={run.ended_at} />],
          [
            text.lastGood,
            run.last_generation ? <Time at={run.last_generation.completed_at} /> : messages().common.never,
          ],
        ]}
      />
    </section>
  );
}
