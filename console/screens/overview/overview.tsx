import {
  getInstallation,
  getUpkeep,
  listJobs,
  listReplicas,
  type OperatorInstallation,
} from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { href } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { usePolling } from '../../ui/use-polling.ts';
import { ClockNotice } from './clock-notice.tsx';
import { Configuration } from './configuration.tsx';
import { healthOf } from './health.ts';
import { ReplicasCard } from './replicas-card.tsx';
import { ScrubCard } from './scrub-card.tsx';

/** The whole installation: whether it is well, how much space it has, and what keeps it safe. */
export default function Overview() {
  const text = messages().overview;
  const installation = useResource((signal) => ask(getInstallation({ signal })), []);
  const upkeep = useResource((signal) => ask(getUpkeep({ signal })), []);
  const jobs = useResource((signal) => ask(listJobs({ signal })), []);
  const replicas = useResource((signal) => ask(listReplicas({ signal })), []);
  const reload = () => {
    installation.reload();
    upkeep.reload();
    jobs.reload();
    replicas.reload();
  };
  usePolling(true, 15_000, reload);
  // Shown together, so that nothing moves what is below it.
  const isComplete = [installation, upkeep, replicas].every(
    ({ data, error }) => data !== undefined || error !== undefined,
  );
  return (
    <Screen
      title={messages().screens.overview}
      lead={text.lead}
      actions={
        <Button icon="refresh" onClick={reload}>
          {text.refresh}
        </Button>
      }
    >
      {!isComplete && <Skeleton lines={12} />}
      <div class="stack" hidden={!isComplete}>
        {jobs.data?.clock_jump && <ClockNotice jump={jobs.data.clock_jump} onDone={jobs.reload} />}
        <Loaded resource={installation}>
          {(found) => (
            <>
              <Health installation={found} upkeep={upkeep.data} hasJump={Boolean(jobs.data?.clock_jump)} />
              <div class="cards">
                <Figure label={text.accounts} value={<a href={href(['accounts'])}>{formatNumber(found.accounts)}</a>} />
                <Figure label={text.files} value={formatNumber(found.used_objects)} />
                <Figure label={text.stored} value={formatSize(found.used_bytes)} note={text.storedNote} />
                <Figure
                  label={text.free}
                  value={formatSize(found.disk.free_bytes)}
                  {...(found.disk.min_free_bytes > 0 && {
                    note: text.freeNote(formatSize(found.disk.min_free_bytes)),
                  })}
                />
              </div>
            </>
          )}
        </Loaded>
        <Loaded resource={upkeep} lines={3}>
          {({ scrub }) => <ScrubCard scrub={scrub} onStart={upkeep.reload} />}
        </Loaded>
        <Loaded resource={replicas} lines={3}>
          {({ replicas: found }) => <ReplicasCard replicas={found} />}
        </Loaded>
        {installation.data && <About installation={installation.data} />}
        <Configuration />
      </div>
    </Screen>
  );
}

function Health({
  installation,
  upkeep,
  hasJump,
}: {
  readonly installation: OperatorInstallation;
  readonly upkeep: Parameters<typeof healthOf>[1];
  readonly hasJump: boolean;
}) {
  const text = messages().overview;
  const findings = healthOf(installation, upkeep, hasJump);
  return (
    <section class="card">
      <h2>
        {text.health}{' '}
        <span class={findings.length === 0 ? 'badge good' : 'badge bad'}>
          {findings.length === 0 ? text.well : text.findings(formatNumber(findings.length))}
        </span>
      </h2>
      {findings.length === 0 ? (
        <p class="hint">{text.wellHint}</p>
      ) : (
        <ul>
          {findings.map((name) => (
            <li key={name}>{text.problems[name]}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function About({ installation }: { readonly installation: OperatorInstallation }) {
  const text = messages().overview;
  return (
    <section class="card">
      <h2>{text.about}</h2>
      <Facts
        rows={[
          [text.version, `Cubby ${installation.version}, Node.js ${installation.node_version}`],
          [text.database, installation.database === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
          [text.blobs, text.blobPlaces[installation.blobs]],
          [text.toDelete, formatNumber(installation.blobs_to_delete)],
          [text.purges, formatNumber(installation.purges_waiting)],
        ]}
      />
    </section>
  );
}
