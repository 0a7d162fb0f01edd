import {
  getConfiguration,
  getUpkeep,
  listBackups,
  startBackup,
  type OperatorBackups,
} from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { usePolling } from '../../ui/use-polling.ts';
import { SettingsTable } from '../overview/settings-table.tsx';
import { BackupRun } from './backup-run.tsx';

/** The backups: those that can be restored, the run that goes on, and what is configured. */
export default function Backups() {
  const text = messages().backups;
  const backups = useResource((signal) => ask(listBackups({ signal })), []);
  const upkeep = useResource((signal) => ask(getUpkeep({ signal })), []);
  const settings = useResource((signal) => ask(getConfiguration({ signal })), []);
  const isRunning = upkeep.data?.backups.some(({ state }) => state === 'running') ?? false;
  usePolling(true, isRunning ? 3000 : 30_000, () => {
    upkeep.reload();
    if (isRunning) backups.reload();
  });
  // Shown together, so that nothing moves what is below it.
  const isComplete = [backups, upkeep].every(({ data, error }) => data !== undefined || error !== undefined);
  const isMissing = backups.error instanceof ApiError && backups.error.code === 'BACKUP_TARGET_MISSING';
  const start = () =>
    void confirmStart(() => {
      upkeep.reload();
      backups.reload();
    });
  return (
    <Screen
      title={messages().screens.backups}
      lead={text.lead}
      actions={
        backups.data && (
          <Button kind="first" icon="backup" disabled={isRunning} onClick={start}>
            {text.start}
          </Button>
        )
      }
    >
      {!isComplete && <Skeleton lines={12} />}
      <div class="stack" hidden={!isComplete}>
        {isMissing ? (
          <Empty icon="backup" title={text.noTarget}>
            <p>{text.noTargetHint}</p>
            <code>CUBBY_BACKUP_TARGET=/mnt/backup/cubby</code>
          </Empty>
        ) : (
          backups.error !== undefined && <Problem error={backups.error} onRetry={backups.reload} />
        )}
        <Loaded resource={upkeep} lines={3}>
          {({ backups: runs }) => runs.map((run) => <BackupRun key={run.target} run={run} />)}
        </Loaded>
        {!backups.data && backups.error === undefined && <Skeleton />}
        {backups.data && <Generations backups={backups.data} />}
        {settings.data && (
          <section class="stack">
            <h2>{text.configured}</h2>
            <SettingsTable settings={settings.data.settings.filter(({ name }) => /^CUBBY_(BACKUP|SCRUB)/.test(name))} />
          </section>
        )}
      </div>
    </Screen>
  );
}

function Generations({ backups: { target, generations } }: { readonly backups: OperatorBackups }) {
  const text = messages().backups;
  if (generations.length === 0)
    return (
      <Empty icon="backup" title={text.none}>
        <p>{text.noneHint}</p>
      </Empty>
    );
  return (
    <section class="stack">
      <h2>{text.generations}</h2>
      <p class="hint">
        {text.target}: <code>{target}</code>
      </p>
      <Table
        label={text.generations}
        rows={generations.toReversed()}
        keyOf={({ generation }) => generation}
        columns={[
          { title: text.takenAt, cell: ({ taken_at: at }) => <Time at={at} /> },
          { title: text.generation, cell: ({ generation }) => <code>{generation}</code>, isExtra: true },
          {
            title: text.database,
            cell: ({ database_bytes: bytes }) => (bytes === null ? text.noRows : formatSize(bytes)),
            isNumber: true,
          },
          {
            title: text.files,
            cell: ({ blobs: { count, bytes } }) => `${formatNumber(count)} (${formatSize(bytes)})`,
            isNumber: true,
          },
          {
            title: text.damaged,
            cell: ({ damaged_blobs: damaged }) => (
              <span class={damaged.length > 0 ? 'problem-text' : ''}>{formatNumber(damaged.length)}</span>
            ),
            isNumber: true,
          },
        ]}
      />
    </section>
  );
}

async function confirmStart(onStart: () => void): Promise<void> {
  const text = messages().backups;
  await confirm({
    title: text.start,
    text: text.startText,
    action: text.start,
    isDangerous: false,
    run: async () => {
      const { includes_rows: hasRows } = await ask(startBackup());
      toast(hasRows ? text.started : text.startedFiles);
      onStart();
    },
  });
}
