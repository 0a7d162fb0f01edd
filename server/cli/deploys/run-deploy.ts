import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Deploy } from '#server/domain/deploys/deploy.ts';
import type { DeployOutcome } from '#server/domain/deploys/end-deploy.ts';
import { firstLine } from '#server/domain/deploys/push.ts';
import { readToken, type DeployToken } from '#server/domain/deploys/read-token.ts';
import { settleTokenOrigin } from '#server/domain/deploys/settle-token-origin.ts';
import type { Stores } from '#server/stores/open.ts';
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
  /** What a shell runs in the folder of the commit. */
  readonly command: string;
  /** Repositories are cloned from these addresses and those below them. */
  readonly from: readonly string[];
  /** The command is ended after so long. */
  readonly timeoutMs: number;
  /** The clone is, and is tried again. */
  readonly cloneTimeoutMs: number;
  /** Ends git and the command. */
  readonly signal: AbortSignal;
  /** Finds the addresses of hosts; the system's when left out. */
  readonly lookUp?: LookUp;
}

/** How it ended, and the message of the commit where it has become known. */
export interface DeployRun {
  readonly outcome: DeployOutcome;
  readonly message: string | null;
}

const withoutToken: Readonly<Record<Extract<DeployToken, { without: string }>['without'], string>> = {
  'no-webhook': 'The webhook has been removed, so the repository is read without an access token.',
  'no-origin':
    'The webhook was made anew a moment ago and where its access token belongs is not settled, so the repository is read without it.',
  'other-origin':
    'The repository lies elsewhere than the first one of the webhook, so it is read without the access token. When it has moved, remove the webhook and set it anew.',
  unreadable: 'The access token was stored under another master key and cannot be read. Set the webhook again.',
};

/**
 * Clones the commit of a deploy into a fresh folder and runs the command there; what both say goes into the deploy's log. The
 * folder is gone afterwards, as far as it can be removed. What goes wrong on the way, on a full disk for instance, is worth
 * another try.
 */
export async function runDeploy(options: RunDeploy, deploy: Deploy): Promise<DeployRun> {
  const { stores, dataDir, signal } = options;
  const reach = await reachOf(options, deploy.repository);
  if (!('end' in reach)) await settleTokenOrigin(stores, deploy);
  const found = await readToken(stores, deploy);
  const token = 'token' in found ? found.token : undefined;
  const log = await openDeployLog(
    dataDir,
    deploy.id,
    token === undefined ? [] : [token, credentialText(deploy.host, token)],
  );
  const folder = join(workFolder(dataDir), `${deploy.id}-${deploy.lease!.id}`);
  try {
    log.note(`Try ${deploy.tries}, ${new Date(deploy.updatedAt).toISOString()}: ${deploy.branch} at ${deploy.commit}`);
    if ('end' in reach) {
      log.note(reach.why);
      return { outcome: reach.end, message: deploy.message };
    }
    if ('without' in found && deploy.repository!.startsWith('http')) log.note(withoutToken[found.without]);
    await makeFolder(folder, deploy);
    return await deployInto(folder, options, { ...deploy, repository: deploy.repository! }, reach, token, log);
  } catch (error) {
    if (signal.aborted) throw error;
    log.note(`The deploy could not be run: ${error instanceof Error ? error.message : String(error)}`);
    return { outcome: 'try again', message: deploy.message };
  } finally {
    if (!(await clearFolder(folder))) log.note(`The folder ${folder} could not be removed. Remove it by hand.`);
    log.close();
  }
}

async function deployInto(
  folder: string,
  { env, command, timeoutMs, cloneTimeoutMs, signal }: RunDeploy,
  deploy: Deploy & { readonly repository: string },
  reach: CloneCommit['reach'],
  token: string | undefined,
  log: DeployLog,
): Promise<DeployRun> {
  const { message } = deploy;
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
    if (signal.aborted) return { outcome: 'stopped', message };
    log.note(
      cloning.isOver()
        ? `The clone took longer than ${cloneTimeoutMs / 1000} seconds.`
        : 'The commit could not be read from the repository.',
    );
    return { outcome: 'try again', message };
  }
  const known = message ?? firstLine(cloned);
  const running = within(timeoutMs, signal);
  const {
    code,
    signal: endedBy,
    wasStopped,
  } = await runChild('/bin/sh', ['-c', command], {
    cwd: folder,
    env: commandEnvironment(env, { ...deploy, message: known }),
    output: log.write,
    signal: running.signal,
  });
  const isLate = wasStopped && running.isOver();
  if (isLate) log.note(`The command took longer than ${timeoutMs / 1000} seconds. Give it more time with --timeout.`);
  log.note(endedBy === null ? `The command ended with exit code ${code}.` : `The command was ended by ${endedBy}.`);
  if (code === 0 && !isLate) return { outcome: 'success', message: known };
  return { outcome: wasStopped && !isLate ? 'stopped' : 'failure', message: known };
}

/** Why a repository is not cloned, and what becomes of its deploy. */
interface Unreachable {
  readonly why: string;
  readonly end: Extract<DeployOutcome, 'failure' | 'try again'>;
}

/** How git may reach a repository, if it may. */
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
    why: 'This git is older than 2.37 and cannot be held to the address of a host. Name the host with --from, or install a newer git.',
    end: 'failure',
  };
}

/** A signal that is aborted after some time as well; and whether it was because of that. */
function within(timeMs: number, signal: AbortSignal): { readonly signal: AbortSignal; isOver(): boolean } {
  const overtime = AbortSignal.timeout(timeMs);
  const either = AbortSignal.any([signal, overtime]);
  return { signal: either, isOver: () => overtime.aborted && either.reason === overtime.reason };
}

/** What an earlier try of the deploy left, when its runner was cut off, goes first. */
async function makeFolder(folder: string, { id }: Deploy): Promise<void> {
  const work = dirname(folder);
  await mkdir(work, { recursive: true, mode: 0o700 });
  for (const name of await readdir(work)) if (name.startsWith(`${id}-`)) await clearFolder(join(work, name));
  await mkdir(folder, { mode: 0o700 });
}

/** Where the runner was started by a hook of a repository, git in the command would work on that one. @see https://git-scm.com/docs/git-rev-parse#Documentation/git-rev-parse.txt---local-env-vars */
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

/** The operator's environment without what Cubby itself is configured with, its master key above all. */
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
