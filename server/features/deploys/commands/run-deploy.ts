import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Deploy } from '../deploy.ts';
import type { DeployOutcome } from '../end-deploy.ts';
import { firstLine } from '../push.ts';
import { readToken, type DeployToken } from '../read-token.ts';
import { settleTokenOrigin } from '../settle-token-origin.ts';
import { untraced, type CallTracing } from '#server/telemetry/tracing.ts';
import { messageOf, type Stores } from '#server/cli/operator.ts';
import { runChild } from './child.ts';
import { clearFolder, workFolder } from './clear-folder.ts';
import { canPinAddresses, cloneCommit, credentialText, type CloneCommit } from './clone-commit.ts';
import { openDeployLog, type DeployLog } from './deploy-log.ts';
import { hostAddress, type LookUp } from './host-address.ts';
import { repositoryRefusal } from './repository-refusal.ts';

export interface RunDeploy {
  readonly stores: Pick<Stores, 'metadata' | 'secrets'>;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The shell command to run in the folder of the commit. */
  readonly command: string;
  /** Repositories may be cloned from these addresses and everything below them. */
  readonly from: readonly string[];
  /** Time limit of the command. */
  readonly timeoutMs: number;
  /** Time limit of the clone. A clone that exceeds it is retried. */
  readonly cloneTimeoutMs: number;
  /** Ends git and the command. */
  readonly signal: AbortSignal;
  readonly tracing?: CallTracing | undefined;
  /** Resolves host names. Defaults to the system's resolver. */
  readonly lookUp?: LookUp;
}

/** The outcome, and the commit with its message if they have become known. */
interface DeployRun extends Pick<Deploy, 'commit' | 'message'> {
  readonly outcome: DeployOutcome;
}

const withoutToken: Readonly<Record<Extract<DeployToken, { without: string }>['without'], string>> = {
  'no-webhook': 'The webhook was removed, so the repository is cloned without an access token.',
  'no-origin':
    'The webhook was just created again, and the host of its access token is not known yet. ' +
    'The repository is cloned without the token.',
  'other-origin':
    'The repository is on another host than the first one of the webhook, so it is cloned without the access token. ' +
    'If the repository has moved, remove the webhook and create it again.',
  unreadable: 'The access token was stored under another master key and cannot be read. Create the webhook again.',
};

/**
 * Clones the commit of a deploy into a fresh folder and runs the command there. The output of both goes into the
 * deploy's log. The folder is removed afterwards if possible. An unexpected error, such as a full disk, causes another
 * attempt.
 */
export async function runDeploy(options: RunDeploy, deploy: Deploy): Promise<DeployRun> {
  const { stores, dataDir, signal } = options;
  const reach = await reachOf(options, deploy.repository);
  if (!('end' in reach)) await settleTokenOrigin(stores, deploy);
  const found = await readToken(stores, deploy);
  const token = 'token' in found ? found.token : undefined;
  const secrets = token === undefined ? [] : [token, credentialText(deploy.host, token)];
  const log = await openDeployLog(dataDir, deploy.id, secrets);
  const folder = join(workFolder(dataDir), `${deploy.id}-${deploy.lease!.id}`);
  try {
    log.note(
      `Attempt ${deploy.tries}, ${new Date(deploy.updatedAt).toISOString()}: ${deploy.branch} at ${deploy.commit}`,
    );
    if ('end' in reach) {
      log.note(reach.why);
      return { outcome: reach.end, commit: deploy.commit, message: deploy.message };
    }
    if ('without' in found && deploy.repository!.startsWith('http')) log.note(withoutToken[found.without]);
    await makeFolder(folder, deploy);
    return await deployInto(options, {
      folder,
      deploy: { ...deploy, repository: deploy.repository! },
      reach,
      token,
      log,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    log.note(`The deploy could not be run: ${messageOf(error)}`);
    return { outcome: 'try again', commit: deploy.commit, message: deploy.message };
  } finally {
    if (!(await clearFolder(folder))) log.note(`The folder ${folder} could not be removed. Remove it manually.`);
    log.close();
  }
}

interface PreparedDeploy {
  readonly folder: string;
  readonly deploy: Deploy & { readonly repository: string };
  readonly reach: CloneCommit['reach'];
  readonly token: string | undefined;
  readonly log: DeployLog;
}

async function deployInto(
  { env, command, timeoutMs, cloneTimeoutMs, signal, tracing = untraced }: RunDeploy,
  { folder, deploy, reach, token, log }: PreparedDeploy,
): Promise<DeployRun> {
  const { commit, message } = deploy;
  const cloning = within(cloneTimeoutMs, signal);
  const cloned = await cloneCommit({
    folder,
    deploy,
    token,
    reach,
    env,
    output: log.write,
    signal: cloning.signal,
  }).catch((error: unknown) => {
    if (!cloning.signal.aborted) throw error;
    return undefined;
  });
  if (cloned === undefined) {
    if (signal.aborted) return { outcome: 'stopped', commit, message };
    log.note(
      cloning.isOver()
        ? `The clone took longer than ${cloneTimeoutMs / 1000} seconds.`
        : 'The commit could not be read from the repository.',
    );
    return { outcome: 'try again', commit, message };
  }
  const known = { commit: cloned.commit, message: message ?? firstLine(cloned.subject) };
  const running = within(timeoutMs, signal);
  const attributes = { 'cubby.app': deploy.appId, 'cubby.deploy': deploy.id, 'cubby.attempt': deploy.tries };
  const end = await tracing.call('deploy', attributes, async (span) => {
    const ended = await runChild('/bin/sh', ['-c', command], {
      cwd: folder,
      env: { ...commandEnvironment(env, { ...deploy, ...known }), ...traceVariables(span.headers) },
      output: log.write,
      signal: running.signal,
    });
    if (ended.code !== 0) span.failed(ended.signal ?? `exit code ${ended.code}`);
    return ended;
  });
  const { code, wasStopped } = end;
  const isLate = wasStopped && running.isOver();
  if (isLate) log.note(`The command took longer than ${timeoutMs / 1000} seconds. Raise the limit with --timeout.`);
  log.note(end.signal ? `The command was ended by ${end.signal}.` : `The command ended with exit code ${code}.`);
  if (code === 0 && !isLate) return { outcome: 'success', ...known };
  return { outcome: wasStopped && !isLate ? 'stopped' : 'failure', ...known };
}

/** The reason why a repository is not cloned, and the outcome of its deploy. */
interface Unreachable {
  readonly why: string;
  readonly end: Extract<DeployOutcome, 'failure' | 'try again'>;
}

/** Returns how git may reach a repository, or why it may not. */
async function reachOf(
  { env, dataDir, from, signal, lookUp }: RunDeploy,
  repository: string | null,
): Promise<CloneCommit['reach'] | Unreachable> {
  const why = repositoryRefusal(repository, from);
  if (why !== undefined) return { why, end: 'failure' };
  const reach = await hostAddress(repository!, from, env, lookUp);
  if (reach.kind === 'refused') return { why: reach.why, end: 'failure' };
  if (reach.kind === 'unknown') return { why: reach.why, end: 'try again' };
  if (reach.kind !== 'pinned' || (await canPinAddresses(env, dataDir, signal))) return reach;
  return {
    why:
      'This git is older than 2.37 and cannot be pinned to the address of a host. ' +
      'Name the host with --from, or install a newer git.',
    end: 'failure',
  };
}

/** Adds a time limit to a signal. `isOver` says whether the limit was the cause. */
function within(timeMs: number, signal: AbortSignal): { readonly signal: AbortSignal; isOver(): boolean } {
  const overtime = AbortSignal.timeout(timeMs);
  const either = AbortSignal.any([signal, overtime]);
  return { signal: either, isOver: () => overtime.aborted && either.reason === overtime.reason };
}

/** Creates the folder. First removes folders that interrupted attempts of this deploy left. */
async function makeFolder(folder: string, { id }: Deploy): Promise<void> {
  const work = dirname(folder);
  await mkdir(work, { recursive: true, mode: 0o700 });
  for (const name of await readdir(work)) if (name.startsWith(`${id}-`)) await clearFolder(join(work, name));
  await mkdir(folder, { mode: 0o700 });
}

/**
 * Variables that would point git in the command at another repository, if a git hook started the runner.
 * @see https://git-scm.com/docs/git-rev-parse#Documentation/git-rev-parse.txt---local-env-vars
 */
const ofAnotherRepository = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_NAMESPACE',
];

/**
 * Returns the variables that pass a trace on to a program.
 *
 * @see https://opentelemetry.io/docs/specs/otel/context/env-carriers/
 */
function traceVariables(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}

/** Returns the operator's environment without Cubby's own configuration, above all its master key. */
function commandEnvironment(
  env: RunDeploy['env'],
  { id, appId, commit, branch, message, repository }: Deploy,
): Record<string, string | undefined> {
  return {
    ...Object.fromEntries(
      Object.entries(env).filter(([name]) => !name.startsWith('CUBBY_') && !ofAnotherRepository.includes(name)),
    ),
    CUBBY_APP_ID: appId,
    CUBBY_DEPLOY_ID: id,
    CUBBY_BRANCH: branch,
    CUBBY_COMMIT: commit,
    CUBBY_MESSAGE: message ?? '',
    CUBBY_REPOSITORY: repository ?? '',
  };
}
