import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';

import type { Deploy, DeployState } from '../deploy.ts';
import { endDeploy } from '../end-deploy.ts';
import { renewLease } from '../renew-lease.ts';
import { takeDeploy } from '../take-deploy.ts';
import { deployCloneMs, deployHeartbeatMs } from '../limits.ts';
import { MetadataFailed } from '#server/domain/ports/metadata.ts';
import { messageOf, type Operator, type Stores } from '#server/cli/operator.ts';
import { recordAction } from '#server/cli/record-action.ts';
import { untilStopped } from '#server/cli/until-stopped.ts';
import { clearLostFolders } from './clear-folder.ts';
import { forgetDeployLogs, openDeployLog } from './deploy-log.ts';
import { runDeploy, type RunDeploy } from './run-deploy.ts';

interface Options {
  readonly exec: string;
  readonly once?: boolean;
  readonly from?: readonly string[];
  readonly timeout: number;
}

/** How often the queue is checked for a push. */
const pollMs = 1000;

/** How often old logs are removed. */
const tidyEveryMs = 3_600_000;

const about = `deploy pushed commits, one after the other, until SIGINT or SIGTERM; a server may be running

Each commit is cloned into a fresh folder, and the command runs there with CUBBY_APP_ID, CUBBY_BRANCH, CUBBY_COMMIT,
CUBBY_MESSAGE, CUBBY_REPOSITORY and CUBBY_DEPLOY_ID. Exit code 0 is a success, any other an error. A repository that
cannot be cloned is tried four times. Several runners share the work. See docs/deploys.md.`;

export function addDeploysRun(deploys: Command, operator: Operator): void {
  deploys
    .command('run')
    .description(about)
    .requiredOption('--exec <command>', 'shell command to run in the folder of each commit')
    .option('--once', 'run the pending deploys, then end')
    .option(
      '--from <prefix>',
      'clone only from this address and everything below it, instead of all public hosts by https; repeatable; ' +
        'may name a private host',
      (prefix: string, before?: readonly string[]) => [...(before ?? []), prefix],
    )
    .option(
      '--timeout <seconds>',
      'time limit of the command; a deploy that exceeds it is an error',
      parseSeconds,
      3600,
    )
    .action(async (options: Options, command: Command) => {
      const ended = await run(operator, options);
      operator.print({ json: ended, text: `${ended.length} deploys run.` }, command);
    });
}

/** The longest time that timers support. */
const maxSeconds = 2_147_483;

function parseSeconds(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text) || Number(text) > maxSeconds)
    throw new InvalidArgumentError(`A time is a whole number of seconds, from 1 to ${maxSeconds}.`);
  return Number(text);
}

/** A deploy that this command ran, in its final state. */
interface EndedDeploy {
  readonly id: string;
  readonly app_id: string;
  readonly state: DeployState;
}

function run(
  operator: Operator,
  { exec, once = false, from = ['https://'], timeout }: Options,
): Promise<EndedDeploy[]> {
  return operator.onStores(async (stores, { dataDir, telemetry: configured }) => {
    const telemetry =
      configured && (await (await import('#server/telemetry/open-telemetry.ts')).openTelemetry(configured));
    // Otherwise built files would have the modes of secrets, and no web server could read them.
    operator.restoreUmask();
    // The command may hold a secret.
    await recordAction(operator, stores, { action: 'deploys.runner_started', details: { from: [...from], once } });
    const options = {
      stores,
      dataDir,
      env: operator.env,
      command: exec,
      from,
      timeoutMs: timeout * 1000,
      cloneTimeoutMs: deployCloneMs,
      tracing: telemetry?.tracing,
    };
    return untilStopped(({ signal }) => runAll(options, once, signal)).finally(() => telemetry?.close());
  });
}

type RunOptions = Omit<RunDeploy, 'signal'> & { readonly stores: Stores };

/** Runs deploys until stopped, or with `once` until the queue is empty. */
async function runAll(options: RunOptions, once: boolean, stopping: AbortSignal): Promise<EndedDeploy[]> {
  const { stores, dataDir } = options;
  const ended: EndedDeploy[] = [];
  let tidiedAt = -Infinity;
  while (!stopping.aborted) {
    if (performance.now() - tidiedAt > tidyEveryMs) {
      tidiedAt = performance.now();
      await tidy(stores, dataDir);
    }
    const next = await patient(() => takeDeploy(stores), stopping);
    for (const { id } of next?.abandoned ?? []) await noteIn(dataDir, id, abandonedNote);
    if (next?.deploy) ended.push(...(await leased(options, next.deploy, stopping)));
    else if (once) break;
    else await sleep(pollMs, undefined, { signal: stopping }).catch(() => {});
  }
  return ended;
}

/** Runs a deploy while this runner holds its lease. A stop returns it to the queue. */
async function leased(options: RunOptions, deploy: Deploy, stopping: AbortSignal): Promise<EndedDeploy[]> {
  const lost = new AbortController();
  const cancelled = new AbortController();
  const watch = setInterval(() => {
    options.stores.metadata.read.deploys.find(deploy.id).then(
      (stored) => stored?.lease?.id === deploy.lease!.id && stored.cancelRequestedAt !== null && cancelled.abort(),
      () => {},
    );
  }, pollMs);
  const heartbeat = setInterval(() => {
    // While the store is unavailable the lease stays as it is. Only a lost lease ends the run.
    renewLease(options.stores, deploy).then(
      (isOurs) => isOurs || lost.abort(),
      () => {},
    );
  }, deployHeartbeatMs);
  try {
    const signal = AbortSignal.any([stopping, lost.signal, cancelled.signal]);
    const { outcome, commit, message } = await runDeploy({ ...options, signal }, deploy).catch((error: unknown) => {
      if (signal.aborted) return { outcome: 'stopped' as const, commit: deploy.commit, message: deploy.message };
      // Keeps one broken deploy from blocking all others.
      process.stderr.write(`The deploy ${deploy.id} could not be run: ${messageOf(error)}\n`);
      return { outcome: 'try again' as const, commit: deploy.commit, message: deploy.message };
    });
    // It is noted before the deploy ends, because readers of the log stop at the end.
    if (cancelled.signal.aborted && (outcome === 'stopped' || outcome === 'try again'))
      await noteIn(options.dataDir, deploy.id, 'The deploy was cancelled.');
    const ended = await patient(() => endDeploy(options.stores, { ...deploy, commit, message }, outcome), undefined);
    return ended ? [{ id: ended.id, app_id: ended.appId, state: ended.state }] : [];
  } finally {
    clearInterval(heartbeat);
    clearInterval(watch);
  }
}

/** Cleans up. A failure is ignored, because the next run tries again. */
async function tidy({ metadata, clock }: Stores, dataDir: string): Promise<void> {
  await clearLostFolders(metadata, dataDir).catch(() => {});
  await forgetDeployLogs(dataDir, clock.now()).catch(() => {});
}

const abandonedNote = 'The deploy failed: its runner stopped in the middle of it, on the last of four attempts.';

/** Adds a line to the log of a deploy. If the log is not writable, only the deploy's state shows what happened. */
async function noteIn(dataDir: string, deployId: string, text: string): Promise<void> {
  const log = await openDeployLog(dataDir, deployId, []).catch(() => undefined);
  log?.note(text);
  log?.close();
}

/** Retries while the store is unavailable, until stopped. */
async function patient<T>(work: () => Promise<T>, stopping: AbortSignal | undefined): Promise<T | undefined> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof MetadataFailed)) throw error;
      await sleep(pollMs, undefined, { ...(stopping && { signal: stopping }) }).catch(() => {});
      if (stopping?.aborted) return undefined;
    }
  }
}
