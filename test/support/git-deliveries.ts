import { createHmac, randomUUID } from 'node:crypto';

/*
 * Deliveries as the documentation of each host describes them, with fields of ours:
 * github.com/…/webhook-events-and-payloads, docs.gitlab.com/user/project/integrations/webhook_events,
 * docs.gitea.com/usage/webhooks, forgejo.org/docs/…/webhooks,
 * support.atlassian.com/bitbucket-cloud/docs/event-payloads, confluence.atlassian.com/bitbucketserver/event-payload.
 */

export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type HostName = 'github' | 'gitlab' | 'gitea' | 'forgejo' | 'bitbucket-cloud' | 'bitbucket-data-center';
export type Kind = 'push' | 'tag' | 'deletion' | 'ping' | 'other' | 'without-commits';

export interface Pushed {
  readonly branch?: string;
  readonly commit?: string;
  readonly message?: string;
  /** The clone address. */
  readonly repository?: string;
}

export const before = '41d7e60b92ac5f38d1e4a7960bc2835fd04e1a67';
export const after = '9f2c1ab47de083c5612f4b7a8d90e3c16a5b2d4f';
export const message = 'Show the invoice of April\n\nIt was missing.';
const zeros = '0'.repeat(40);
const author = { name: 'Ada', email: 'ada@shop.invalid', username: 'ada' };

type Make = (pushed: Required<Pushed>) => { readonly event: string; readonly payload: unknown };

function githubCommit({ commit, message: text }: Required<Pushed>) {
  return {
    id: commit,
    tree_id: before,
    distinct: true,
    message: text,
    timestamp: '2026-04-21T09:29:58+02:00',
    url: `https://github.invalid/acme/shop/commit/${commit}`,
    author,
    committer: author,
    added: [],
    removed: [],
    modified: ['invoice.ts'],
  };
}

function githubPush(pushed: Required<Pushed>, change: Readonly<Record<string, unknown>> = {}) {
  const commit = githubCommit(pushed);
  return {
    ref: `refs/heads/${pushed.branch}`,
    before,
    after: pushed.commit,
    base_ref: null,
    created: false,
    deleted: false,
    forced: false,
    compare: 'https://github.invalid/acme/shop/compare/41d7e60…9f2c1ab',
    commits: [commit],
    head_commit: commit,
    repository: {
      id: 1,
      name: 'shop',
      full_name: 'acme/shop',
      private: true,
      html_url: 'https://github.invalid/acme/shop',
      clone_url: pushed.repository,
      default_branch: 'main',
    },
    pusher: author,
    sender: { login: 'ada', id: 2 },
    ...change,
  };
}

const github: Record<Kind, Make> = {
  push: (pushed) => ({ event: 'push', payload: githubPush(pushed) }),
  tag: (pushed) => ({
    event: 'push',
    payload: githubPush(pushed, { ref: 'refs/tags/v1.4.0', created: true, before: zeros }),
  }),
  deletion: (pushed) => ({
    event: 'push',
    payload: githubPush(pushed, { after: zeros, deleted: true, commits: [], head_commit: null }),
  }),
  ping: () => ({
    event: 'ping',
    payload: { zen: 'Keep it logically awesome.', hook_id: 1, hook: { type: 'Repository', events: ['push'] } },
  }),
  other: () => ({
    event: 'issues',
    payload: { action: 'opened', issue: { number: 1 }, repository: { full_name: 'acme/shop' } },
  }),
  'without-commits': (pushed) => ({
    event: 'push',
    payload: githubPush(pushed, { created: true, before: zeros, commits: [] }),
  }),
};

function giteaPush(pushed: Required<Pushed>, change: Readonly<Record<string, unknown>> = {}) {
  const commit = {
    id: pushed.commit,
    message: pushed.message,
    url: `https://gitea.invalid/acme/shop/commit/${pushed.commit}`,
    author,
    committer: author,
    timestamp: '2026-04-21T09:29:58+02:00',
    added: null,
    removed: null,
    modified: null,
  };
  return {
    ref: `refs/heads/${pushed.branch}`,
    before,
    after: pushed.commit,
    compare_url: 'https://gitea.invalid/acme/shop/compare/41d7e60…9f2c1ab',
    commits: [commit],
    total_commits: 1,
    head_commit: commit,
    repository: {
      id: 1,
      full_name: 'acme/shop',
      clone_url: pushed.repository,
      ssh_url: 'git@gitea.invalid:acme/shop.git',
      default_branch: 'main',
    },
    pusher: { id: 2, login: 'ada' },
    sender: { id: 2, login: 'ada' },
    ...change,
  };
}

const gitea: Record<Kind, Make> = {
  push: (pushed) => ({ event: 'push', payload: giteaPush(pushed) }),
  tag: (pushed) => ({
    event: 'push',
    payload: giteaPush(pushed, { ref: 'refs/tags/v1.4.0', before: zeros, commits: [], head_commit: null }),
  }),
  deletion: (pushed) => ({
    event: 'delete',
    payload: {
      ref: pushed.branch,
      ref_type: 'branch',
      pusher_type: 'user',
      repository: giteaPush(pushed).repository,
      sender: { id: 2, login: 'ada' },
    },
  }),
  ping: () => ({ event: 'ping', payload: { zen: 'x' } }),
  other: () => ({ event: 'issues', payload: { action: 'opened', number: 1 } }),
  'without-commits': (pushed) => ({
    event: 'push',
    payload: giteaPush(pushed, { before: zeros, commits: [], total_commits: 0 }),
  }),
};

function gitlabPush(pushed: Required<Pushed>, change: Readonly<Record<string, unknown>> = {}) {
  return {
    object_kind: 'push',
    event_name: 'push',
    before,
    after: pushed.commit,
    ref: `refs/heads/${pushed.branch}`,
    ref_protected: true,
    checkout_sha: pushed.commit,
    user_name: 'Ada',
    project: {
      id: 15,
      name: 'Shop',
      git_ssh_url: 'git@gitlab.invalid:acme/shop.git',
      git_http_url: pushed.repository,
      path_with_namespace: 'acme/shop',
      default_branch: 'main',
    },
    commits: [
      {
        id: pushed.commit,
        message: pushed.message,
        title: 'x',
        timestamp: '2026-04-21T09:29:58+02:00',
        author,
        added: [],
        modified: [],
        removed: [],
      },
    ],
    total_commits_count: 1,
    ...change,
  };
}

const gitlab: Record<Kind, Make> = {
  push: (pushed) => ({ event: 'Push Hook', payload: gitlabPush(pushed) }),
  tag: (pushed) => ({
    event: 'Tag Push Hook',
    payload: gitlabPush(pushed, {
      object_kind: 'tag_push',
      event_name: 'tag_push',
      before: zeros,
      ref: 'refs/tags/v1.4.0',
      commits: [],
    }),
  }),
  deletion: (pushed) => ({
    event: 'Push Hook',
    payload: gitlabPush(pushed, { after: zeros, checkout_sha: null, commits: [] }),
  }),
  ping: () => ({ event: 'System Hook', payload: { event_name: 'project_create', name: 'Shop' } }),
  other: () => ({
    event: 'Merge Request Hook',
    payload: { object_kind: 'merge_request', object_attributes: { iid: 1 } },
  }),
  'without-commits': (pushed) => ({
    event: 'Push Hook',
    payload: gitlabPush(pushed, { before: zeros, commits: [], total_commits_count: 0 }),
  }),
};

export function cloudBranch({ branch, commit, message: text }: Required<Pushed>) {
  return {
    type: 'branch',
    name: branch,
    target: {
      type: 'commit',
      hash: commit,
      message: text,
      date: '2026-04-21T07:29:58+00:00',
      author: { raw: 'Ada <ada@shop.invalid>' },
    },
  };
}

export function cloudPush(changes: readonly unknown[], repository: string) {
  return {
    push: { changes },
    repository: {
      type: 'repository',
      full_name: 'acme/shop',
      links: { html: { href: repository } },
      is_private: true,
      scm: 'git',
    },
    actor: { display_name: 'Ada' },
  };
}

const cloudTag = { type: 'tag', name: 'v1.4.0', target: { type: 'commit', hash: after } };

const bitbucketCloud: Record<Kind, Make> = {
  push: (pushed) => ({
    event: 'repo:push',
    payload: cloudPush(
      [
        {
          old: cloudBranch({ ...pushed, commit: before }),
          new: cloudBranch(pushed),
          created: false,
          closed: false,
          forced: false,
          commits: [],
          truncated: false,
        },
      ],
      pushed.repository,
    ),
  }),
  tag: ({ repository }) => ({
    event: 'repo:push',
    payload: cloudPush([{ old: null, new: cloudTag, created: true, closed: false }], repository),
  }),
  deletion: (pushed) => ({
    event: 'repo:push',
    payload: cloudPush([{ old: cloudBranch(pushed), new: null, created: false, closed: true }], pushed.repository),
  }),
  ping: () => ({ event: 'repo:updated', payload: { changes: {}, actor: {} } }),
  other: () => ({ event: 'issue:created', payload: { issue: { id: 1 } } }),
  'without-commits': (pushed) => ({
    event: 'repo:push',
    payload: cloudPush([{ old: null, new: cloudBranch(pushed), created: true, closed: false }], pushed.repository),
  }),
};

function dataCenterPush(change: Readonly<Record<string, unknown>>, { branch, commit, repository }: Required<Pushed>) {
  return {
    eventKey: 'repo:refs_changed',
    date: '2026-04-21T19:29:58+1000',
    actor: { name: 'ada', emailAddress: 'ada@shop.invalid', id: 1, displayName: 'Ada' },
    repository: {
      slug: 'shop',
      id: 84,
      name: 'shop',
      scmId: 'git',
      project: { key: 'ACME' },
      public: false,
      links: {
        clone: [
          { href: 'ssh://git@bitbucket.invalid:7999/acme/shop.git', name: 'ssh' },
          { href: repository, name: 'http' },
        ],
      },
    },
    changes: [
      {
        ref: { id: `refs/heads/${branch}`, displayId: branch, type: 'BRANCH' },
        refId: `refs/heads/${branch}`,
        fromHash: before,
        toHash: commit,
        type: 'UPDATE',
        ...change,
      },
    ],
  };
}

const bitbucketDataCenter: Record<Kind, Make> = {
  push: (pushed) => ({ event: 'repo:refs_changed', payload: dataCenterPush({}, pushed) }),
  tag: (pushed) => ({
    event: 'repo:refs_changed',
    payload: dataCenterPush(
      { ref: { id: 'refs/tags/v1.4.0', displayId: 'v1.4.0', type: 'TAG' }, refId: 'refs/tags/v1.4.0', type: 'ADD' },
      pushed,
    ),
  }),
  deletion: (pushed) => ({
    event: 'repo:refs_changed',
    payload: dataCenterPush({ toHash: zeros, type: 'DELETE' }, pushed),
  }),
  ping: () => ({ event: 'diagnostics:ping', payload: { test: true } }),
  other: () => ({ event: 'pr:opened', payload: { eventKey: 'pr:opened' } }),
  'without-commits': (pushed) => ({
    event: 'repo:refs_changed',
    payload: dataCenterPush({ fromHash: zeros, type: 'ADD' }, pushed),
  }),
};

const payloads: Readonly<Record<HostName, Record<Kind, Make>>> = {
  github,
  gitlab,
  gitea,
  forgejo: gitea,
  'bitbucket-cloud': bitbucketCloud,
  'bitbucket-data-center': bitbucketDataCenter,
};

export const hostNames = Object.keys(payloads) as HostName[];

type Headers = (event: string, id: string) => Readonly<Record<string, string>>;

const githubHeaders: Headers = (event, id) => ({
  'X-GitHub-Event': event,
  'X-GitHub-Delivery': id,
  'X-GitHub-Hook-ID': '1',
  'User-Agent': 'GitHub-Hookshot/1',
});
const giteaHeaders: Headers = (event, id) => ({
  ...githubHeaders(event, id),
  'X-Gitea-Event': event,
  'X-Gitea-Event-Type': event,
  'X-Gitea-Delivery': id,
  'X-Gogs-Event': event,
  'X-Gogs-Delivery': id,
});

const headersOf: Readonly<Record<HostName, Headers>> = {
  github: githubHeaders,
  gitea: giteaHeaders,
  forgejo: (event, id) => ({ ...giteaHeaders(event, id), 'X-Forgejo-Event': event, 'X-Forgejo-Delivery': id }),
  gitlab: (event, id) => ({
    'X-Gitlab-Event': event,
    'Idempotency-Key': id,
    'X-Gitlab-Webhook-UUID': '02affd2d-2cba-4033-917d-ec22d5dc4b38',
    'X-Gitlab-Event-UUID': '13792a34-cac6-4fda-95a8-c58e00a3954e',
  }),
  'bitbucket-cloud': (event, id) => ({
    'X-Event-Key': event,
    'X-Hook-UUID': '{1dbd2b45}',
    'X-Request-UUID': id,
    'X-Attempt-Number': '1',
  }),
  'bitbucket-data-center': (event, id) => ({ 'X-Event-Key': event, 'X-Request-Id': id }),
};

/** Returns the headers in which a host proves that it knows the secret. */
export function signatureOf(host: HostName, secret: string, body: string): Readonly<Record<string, string>> {
  const hmac = createHmac('sha256', secret).update(body).digest('hex');
  const asGithub = { 'X-Hub-Signature-256': `sha256=${hmac}` };
  if (host === 'gitlab') return { 'X-Gitlab-Token': secret };
  if (host.startsWith('bitbucket')) return { 'X-Hub-Signature': `sha256=${hmac}` };
  if (host === 'github') return asGithub;
  return { ...asGithub, 'X-Gitea-Signature': hmac, ...(host === 'forgejo' && { 'X-Forgejo-Signature': hmac }) };
}

export interface DeliveryOptions extends Pushed {
  readonly secret?: string;
  /** The host's id of the delivery. */
  readonly id?: string;
  /** Sends a form with the JSON in `payload`. */
  readonly asForm?: boolean;
}

/** Returns a delivery as the host sends it. */
export function deliveryOf(host: HostName, kind: Kind = 'push', options: DeliveryOptions = {}): Delivery {
  const { secret, id = randomUUID(), asForm = false, ...pushed } = options;
  const { event, payload } = payloads[host][kind]({
    branch: 'main',
    commit: after,
    message,
    repository: 'https://git.invalid/acme/shop.git',
    ...pushed,
  });
  return sealed(host, event, payload, { secret, id, asForm });
}

/** Returns a delivery of any payload, as the host would send it. */
export function sealed(
  host: HostName,
  event: string,
  payload: unknown,
  {
    secret,
    id = randomUUID(),
    asForm = false,
  }: { readonly secret?: string | undefined; readonly id?: string; readonly asForm?: boolean } = {},
): Delivery {
  const json = JSON.stringify(payload);
  const body = asForm ? new URLSearchParams({ payload: json }).toString() : json;
  const type = asForm ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    headers: {
      'Content-Type': type,
      ...headersOf[host](event, id),
      ...(secret !== undefined && signatureOf(host, secret, body)),
    },
    body,
  };
}
