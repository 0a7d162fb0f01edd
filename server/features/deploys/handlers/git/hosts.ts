import type { GitHost } from '../../deploy.ts';
import { readCloudPush, readDataCenterPush } from './bitbucket.ts';
import { readGiteaDeletion, readGithubPush } from './github.ts';
import { readGitlabPush } from './gitlab.ts';
import { textAt, valueAt, type Payload, type PushFields } from './payload.ts';

/** A request header, by its name in any case. */
export type HeaderOf = (name: string) => string | undefined;

/** The protocol of one kind of host. */
export interface HostDialect {
  readonly host: GitHost;
  /** The header that names the event. A delivery with it is the host's, if `isFrom` agrees. */
  readonly eventHeader: string;
  isFrom?(header: HeaderOf): boolean;
  /** The events that change refs, each with its reader. All others deploy nothing. */
  readonly events: Readonly<Record<string, (payload: Payload) => PushFields | undefined>>;
  /** The event of a payload without any host's headers; undefined if it does not look like this host's. */
  eventLike(payload: Payload): string | undefined;
  /**
   * Headers that name a delivery. A retry keeps the value, and a new push has another. Only the first one present
   * decides whether a delivery is a repeat. Empty if the host gives a replay a new value. In that case the bytes
   * decide.
   */
  readonly deliveryIds: readonly string[];
  /** The header that counts the attempts at a delivery, from 1. The bytes also identify a further attempt. */
  readonly attemptHeader?: string;
  /**
   * Headers with the signature of a delivery. The first one present counts. `token` holds the secret itself.
   * `signing-token` counts if the secret is one, and also covers an id and a time. Others are an HMAC-SHA256 in hex.
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
      // Hooks of a whole instance report pushes in the same fields.
      'System Hook': (payload) => (isGitlabPush(payload) ? readGitlabPush(payload) : undefined),
    },
    eventLike: (payload) => (isGitlabPush(payload) ? 'Push Hook' : undefined),
    // Both have the same value, and the first is signed. X-Gitlab-Event-UUID is no delivery id: if the receiver of a
    // hook pushes, the new delivery has the UUID of the first.
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
    // People who send pushes by hand write what GitHub sends.
    eventLike: (payload) => (valueAt(payload, 'ref') === undefined ? undefined : 'push'),
    deliveryIds: ['X-GitHub-Delivery'],
    signatures: [githubSignature],
  },
];
