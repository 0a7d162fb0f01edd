import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';

import type { Deploy, DeployState } from '#server/domain/deploys/deploy.ts';
import { endDeploy } from '#server/domain/deploys/end-deploy.ts';
import { renewLease } from '#server/domain/deploys/renew-lease.ts';
import { takeDeploy } from '#server/domain/deploys/take-deploy.ts';
import { deployCloneMs, deployHeartbeatMs } from '#server/domain/limits.ts';
import { MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import type { Stores } from '#server/stores/open.ts';
import type { Operator } from '../operator.ts';
import { clearLostFolders } from './clear-folder.ts';
import { forgetDeployLogs, openDeployLog } from './deploy-log.ts';
import { runDeploy, type RunDeploy } from './run-deploy.ts';

interface Options {
  readonly exec: string;
  readonly once?: boolean;
  readonly from?: readonly string[];
  readonly timeout: number;
}

/** How soon a push is noticed. */
const pollMs = 1000;

/** How often old logs are looked for. */
const tidyEveryMs = 3_600_000;

const about = `deploy what was pushed, one commit after the other, beside a server that may be running, until SIGINT or SIGTERM

Each commit is cloned into a fresh folder, and the command runs there with CUBBY_APP_ID, CUBBY_BRANCH, CUBBY_COMMIT,
CUBBY_MESSAGE, CUBBY_REPOSITORY and CUBBY_DEPLOY_ID. Exit code 0 is a success, every other one an error. A repository that
cannot be read is tried four times. Several runners share the work. docs/deploys.md tells the whole story.`;

export function addDeploysRun(deploys: Command, operator: Operator): void {
  deploys
    .command('run')
    .description(about)
    .requiredOption('--exec <command>', 'what a shell runs in the folder of each commit')
    .option('--once', 'run what is there to be run, then end')
    .option(
      '--from <prefix>',
      'clone only from this address and those below it, instead of all public hosts by https; may be given several times, and may name a private host',
      (prefix: string, before?: readonly string[]) => [...(before ?? []), prefix],
    )
    .option('--timeout <seconds>', 'end a command that takes longer; its deploy is an error', parseSeconds, 3600)
    .action(async (options: Options, command: Command) => {
      const ended = await run(operator, options);
      operator.print({ json: ended, text: `${ended.length} deploys run.` }, command);
    });
}

/** Timers take no longer time. */
const maxSeconds = 2_147_483;

function parseSeconds(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text) || Number(text) > maxSeconds)
    throw new InvalidArgumentError(`A time is a whole number of seconds, from 1 to ${maxSeconds}.`);
  return Number(text);
}

/** A deploy that was run here, as it was left. */
interface EndedDeploy {
  readonly id: string;
  readonly app_id: string;
  readonly state: DeployState;
}

function run(
  operator: Operator,
  { exec, once = false, from = ['https://'], timeout }: Options,
): Promise<EndedDeploy[]> {
  return operator.onStores(async (stores, { dataDir }) => {
    // A site that is built with the modes of secrets could be read by no web server.
    operator.restoreUmask();
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    const signals = ['SIGINT', 'SIGTERM'] as const;
    for (const signal of signals) process.once(signal, stop);
    const ended: EndedDeploy[] = [];
    try {
      const options = {
        stores,
        dataDir,
        env: operator.env,
        command: exec,
        from,
        timeoutMs: timeout * 1000,
        cloneTimeoutMs: deployCloneMs,
      };
      let tidiedAt = -Infinity;
      while (!stopping.signal.aborted) {
        if (performance.now() - tidiedAt > tidyEveryMs) {
          tidiedAt = performance.now();
          await tidy(stores, dataDir);
        }
        const next = await patient(() => takeDeploy(stores), stopping.signal);
        for (const { id } of next?.abandoned ?? []) await noteAbandoned(dataDir, id);
        if (next?.deploy) ended.push(...(await leased(options, next.deploy, stopping.signal)));
        else if (once) break;
        else await sleep(pollMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    } finally {
      for (const signal of signals) process.removeListener(signal, stop);
    }
    return ended;
  });
}

/** Runs a deploy for as long as it is ours. Stopped, it goes back to the queue. */
async function leased(
  options: Omit<RunDeploy, 'signal'> & { readonly stores: Parameters<typeof takeDeploy>[0] },
  deploy: Deploy,
  stopping: AbortSignal,
): Promise<EndedDeploy[]> {
  const lost = new AbortController();
  const heartbeat = setInterval(() => {
    // A store that cannot work for a moment leaves the lease as it is; one that was lost is told so.
    renewLease(options.stores, deploy).then(
      (isOurs) => isOurs || lost.abort(),
      () => {},
    );
  }, deployHeartbeatMs);
  try {
    const signal = AbortSignal.any([stopping, lost.signal]);
    const { outcome, message } = await runDeploy({ ...options, signal }, deploy).catch((error: unknown) => {
      if (signal.aborted) return { outcome: 'stopped' as const, message: deploy.message };
      // So that one deploy that cannot be run, whatever the reason, does not hold up all others for ever.
      process.stderr.write(
        `The deploy ${deploy.id} could not be run: ${error instanceof Error ? error.message : String(error)}\n`,
      );
      return { outcome: 'try again' as const, message: deploy.message };
    });
    const ended = await patient(() => endDeploy(options.stores, { ...deploy, message }, outcome), undefined);
    return ended ? [{ id: ended.id, app_id: ended.appId, state: ended.state }] : [];
  } finally {
    clearInterval(heartbeat);
  }
}

/** What cannot be tidied now can be later: no deploy waits for it. */
async function tidy({ metadata, clock }: RunDeploy['stores'] & Pick<Stores, 'clock'>, dataDir: string): Promise<void> {
  await clearLostFolders(metadata, dataDir).catch(() => {});
  await forgetDeployLogs(dataDir, clock.now()).catch(() => {});
}

/** Without a log that can be written its state alone says so. */
async function noteAbandoned(dataDir: string, deployId: string): Promise<void> {
  const log = await openDeployLog(dataDir, deployId, []).catch(() => undefined);
  log?.note('The deploy has failed: whoever ran it has gone in the middle of it, the last of four times.');
  log?.close();
}

/** Waits for a store that cannot work at the moment, for as long as nobody stops it. */
async function patient<T>(work: () => Promise<T>, stopping: AbortSignal | undefined): Promise<T | undefined> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof MetadataUnavailable)) throw error;
      await sleep(pollMs, undefined, { ...(stopping && { signal: stopping }) }).catch(() => {});
      if (stopping?.aborted) return undefined;
    }
  }
}
