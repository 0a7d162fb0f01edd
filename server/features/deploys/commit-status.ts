import { toReseal } from '#server/domain/master-key/to-reseal.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import type { Deploy, DeployState } from './deploy.ts';

/** The hosts whose commits have statuses that Cubby sets. */
type StatusHost = 'github' | 'gitlab' | 'gitea' | 'forgejo';

/** The token that reports the deploys of an application, and how the last report went. */
export interface StatusToken {
  readonly appId: string;
  readonly sealedToken: string;
  /** Only deploys of repositories of this origin are reported, and the token is sent to its API alone. */
  readonly origin: string;
  readonly host: StatusHost;
  /** The name of the status. */
  readonly context: string;
  /** Where the status leads. `{deploy_id}` stands for the id of the deploy. */
  readonly targetUrl: string | null;
  readonly sentAt: number | null;
  /** Why the last report was not taken, as a text for the owner; null if it was. */
  readonly error: string | null;
}

/** What is still to be reported of a deploy: its newest state. */
export interface QueuedStatus {
  readonly deployId: string;
  readonly appId: string;
  readonly origin: string;
  readonly state: DeployState;
  /** Counts up with every new state. */
  readonly revision: number;
  readonly tries: number;
}

/** The purpose of the sealed token, so that no text can replace one of another purpose. */
export const sealedForStatus = 'commit-status-token';

/**
 * Returns what replaces a stored token after a rotation of the master key. Undefined if there is nothing to change, or
 * it cannot be read.
 */
export function renewedStatusToken(
  secrets: Pick<Secrets, 'seal' | 'signers' | 'unseal'>,
  { appId, sealedToken }: StatusToken,
): string | undefined {
  const token = toReseal(secrets, sealedForStatus, sealedToken, appId);
  return token === undefined ? undefined : secrets.seal(sealedForStatus, token, appId);
}

/** A request that sets a status. */
export interface StatusRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const descriptions: Readonly<Record<DeployState, string>> = {
  pending: 'The deploy waits.',
  running: 'The deploy runs.',
  success: 'The deploy has succeeded.',
  error: 'The deploy has failed.',
  superseded: 'A newer push took the place of this deploy.',
  cancelled: 'The deploy was cancelled.',
};

/** GitHub, Gitea and Forgejo have no state for work that was not done. */
const states: Readonly<Record<DeployState, 'pending' | 'success' | 'failure' | 'error'>> = {
  pending: 'pending',
  running: 'pending',
  success: 'success',
  error: 'failure',
  superseded: 'error',
  cancelled: 'error',
};

const gitlabStates: Readonly<Record<DeployState, string>> = {
  pending: 'pending',
  running: 'running',
  success: 'success',
  error: 'failed',
  superseded: 'canceled',
  cancelled: 'canceled',
};

/**
 * Returns the request that reports a state; undefined if the repository's address has not the form of its host.
 *
 * @see https://docs.github.com/en/rest/commits/statuses#create-a-commit-status
 * @see https://docs.gitlab.com/api/commits/#set-commit-pipeline-status
 * @see https://docs.gitea.com/api/ (repoCreateStatus)
 */
export function statusRequest(
  { host, origin, context, targetUrl }: StatusToken,
  { id, repository, commit, branch }: Pick<Deploy, 'id' | 'repository' | 'commit' | 'branch'>,
  state: DeployState,
  token: string,
): StatusRequest | undefined {
  const path = pathOf(repository);
  if (path === undefined || path.length < 2 || (host !== 'gitlab' && path.length > 2)) return undefined;
  const description = descriptions[state];
  const leads = targetUrl !== null && { target_url: targetUrl.replaceAll('{deploy_id}', id) };
  const common = { 'content-type': 'application/json', 'user-agent': 'Cubby-Deploys' };
  if (host === 'gitlab') {
    const body = { state: gitlabStates[state], ref: branch, name: context, description, ...leads };
    const url = `${origin}/api/v4/projects/${encodeURIComponent(path.join('/'))}/statuses/${commit}`;
    return { url, headers: { ...common, 'private-token': token }, body: JSON.stringify(body) };
  }
  const url = `${apiOf(host, origin)}/repos/${path.map(encodeURIComponent).join('/')}/statuses/${commit}`;
  const body = JSON.stringify({ state: states[state], context, description, ...leads });
  if (host !== 'github') return { url, headers: { ...common, authorization: `token ${token}` }, body };
  const versioned = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  return { url, headers: { ...common, ...versioned, authorization: `Bearer ${token}` }, body };
}

function apiOf(host: StatusHost, origin: string): string {
  if (host !== 'github') return `${origin}/api/v1`;
  return origin === 'https://github.com' ? 'https://api.github.com' : `${origin}/api/v3`;
}

/** Returns the parts of a repository's path, without `.git`. */
function pathOf(repository: string | null): string[] | undefined {
  const url = repository === null ? null : URL.parse(repository);
  if (!url || /%/.test(url.pathname)) return undefined;
  return url.pathname
    .replace(/^\/|\/$/g, '')
    .replace(/\.git$/, '')
    .split('/');
}

const [secondMs, minuteMs, hourMs] = [1000, 60_000, 3_600_000];

/** How long after each failed attempt the next one follows. After the last one the report is given up. */
const retryDelaysMs: readonly number[] = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs, 6 * hourMs];

/** A `Retry-After` beyond this is not obeyed. */
const maxRetryAfterMs = 6 * hourMs;

/** Statuses that a retry would get again: no such repository or commit, or a token without the right. */
const finalStatuses: readonly number[] = [400, 401, 404, 410, 422];

/** Whether a host has refused a report for good. That says nothing about reports of other applications. */
export function isFinalStatus(status: number | null): boolean {
  return status !== null && finalStatuses.includes(status);
}

/**
 * Returns when a report is tried again; undefined if it is given up.
 *
 * @param tries the attempts so far, with the one that has just failed
 */
export function nextStatusTryAt(
  now: number,
  tries: number,
  { status, retryAfterMs }: { readonly status: number | null; readonly retryAfterMs: number },
): number | undefined {
  const delayMs = retryDelaysMs[tries - 1];
  if (delayMs === undefined || isFinalStatus(status)) return undefined;
  return now + Math.max(delayMs, Math.min(retryAfterMs, maxRetryAfterMs));
}
