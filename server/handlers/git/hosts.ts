import type { GitHost } from '#server/domain/deploys/deploy.ts';
import type { GitPush } from '#server/domain/deploys/push.ts';
import { readCloudPush, readDataCenterPush } from './bitbucket.ts';
import { readGiteaDeletion, readGithubPush } from './github.ts';
import { readGitlabPush } from './gitlab.ts';
import { textAt, valueAt, type Payload } from './payload.ts';

/** A request header, by its name in any case. */
export type HeaderOf = (name: string) => string | undefined;

/** How one kind of host speaks. */
export interface HostDialect {
  readonly host: GitHost;
  /** The header that names the event. A delivery that carries it is the host's, unless `isFrom` says more. */
  readonly eventHeader: string;
  isFrom?(header: HeaderOf): boolean;
  /** The events that are pushes, or speak of refs as pushes do, and how each is read; all others deploy nothing. */
  readonly events: Readonly<Record<string, (payload: Payload) => Omit<GitPush, 'host'> | undefined>>;
  /** The event of a payload that came without any host's headers, where it looks like this host's. */
  eventLike(payload: Payload): string | undefined;
  /**
   * Headers that name a delivery: a retry keeps the value, and a new push has another. The first that is there decides
   * alone whether a delivery came before. Empty where the host gives a replay a new value: its bytes decide there.
   */
  readonly deliveryIds: readonly string[];
  /** The header that counts the attempts at a delivery, from 1. A further attempt is also known by its bytes. */
  readonly attemptHeader?: string;
  /**
   * Headers in which a delivery is signed; the first that is there counts. `token`: it holds the secret itself;
   * `signing-token`: it counts where the secret is one, and covers an id and a time as well. Otherwise it is an
   * HMAC-SHA256 in hex.
   */
  readonly signatures: ReadonlyArray<{
    readonly header: string;
    readonly prefix?: string;
    readonly kind?: 'token' | 'signing-token';
  }>;
}

function isGitlabPush({ object_kind: kind }: Payload): boolean {
  return kind === 'push' || kind === 'tag_push';
}

const githubSignature = { header: 'X-Hub-Signature-256', prefix: 'sha256=' } as const;

/** In the order in which they are recognised: Forgejo sends Gitea's headers too, and both send GitHub's. */
export const hosts: readonly HostDialect[] = [
  {
    host: 'forgejo',
    eventHeader: 'X-Forgejo-Event',
    events: { push: readGithubPush, delete: readGiteaDeletion },
    eventLike: () => undefined,
    // A replay is a task of its own, with an id of its own, as in Gitea.
    deliveryIds: [],
    signatures: [{ header: 'X-Forgejo-Signature' }, { header: 'X-Gitea-Signature' }, githubSignature],
  },
  {
    host: 'gitea',
    eventHeader: 'X-Gitea-Event',
    events: { push: readGithubPush, delete: readGiteaDeletion },
    eventLike: () => undefined,
    deliveryIds: [],
    signatures: [{ header: 'X-Gitea-Signature' }, githubSignature],
  },
  {
    host: 'gitlab',
    eventHeader: 'X-Gitlab-Event',
    events: {
      'Push Hook': readGitlabPush,
      'Tag Push Hook': readGitlabPush,
      // Hooks of a whole instance tell of pushes in the same fields.
      'System Hook': (payload) => (isGitlabPush(payload) ? readGitlabPush(payload) : undefined),
    },
    eventLike: (payload) => (isGitlabPush(payload) ? 'Push Hook' : undefined),
    // Both have the same value, and the first is signed. X-Gitlab-Event-UUID will not do: a push that another hook's
    // receiver makes carries that of the first.
    deliveryIds: ['webhook-id', 'Idempotency-Key'],
    signatures: [
      { header: 'webhook-signature', kind: 'signing-token' },
      { header: 'X-Gitlab-Token', kind: 'token' },
    ],
  },
  {
    host: 'bitbucket-cloud',
    eventHeader: 'X-Event-Key',
    isFrom: (header) => header('X-Hook-UUID') !== undefined || header('X-Event-Key') === 'repo:push',
    events: { 'repo:push': readCloudPush },
    eventLike: (payload) => (valueAt(payload, 'push', 'changes') === undefined ? undefined : 'repo:push'),
    deliveryIds: ['X-Request-UUID'],
    attemptHeader: 'X-Attempt-Number',
    signatures: [{ header: 'X-Hub-Signature', prefix: 'sha256=' }],
  },
  {
    host: 'bitbucket-data-center',
    eventHeader: 'X-Event-Key',
    events: { 'repo:refs_changed': readDataCenterPush },
    eventLike: (payload) => textAt(payload, 'eventKey'),
    // Its X-Request-Id names the request and not the delivery. The payload holds the time.
    deliveryIds: [],
    signatures: [{ header: 'X-Hub-Signature', prefix: 'sha256=' }],
  },
  {
    host: 'github',
    eventHeader: 'X-GitHub-Event',
    events: { push: readGithubPush },
    // Whoever sends pushes by hand writes what GitHub sends.
    eventLike: (payload) => (valueAt(payload, 'ref') === undefined ? undefined : 'push'),
    deliveryIds: ['X-GitHub-Delivery'],
    signatures: [githubSignature],
  },
];
