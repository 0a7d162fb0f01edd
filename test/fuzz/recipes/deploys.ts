import { deliveryOf, hostNames } from '#test/support/git-deliveries.ts';
import { draftOf } from '../contract-draft.ts';
import type { Recipe, World } from '../world.ts';
import { appOf } from './apps.ts';

const kinds = ['push', 'push', 'push', 'tag', 'deletion', 'ping', 'other', 'without-commits'] as const;

const receiveGitPush: Recipe = (world) => {
  const path = world.some('hookPath');
  if (path === undefined) return deploys.setGitWebhook!(world);
  const { headers, body } = deliveryOf(world.random.pick(hostNames), world.random.pick(kinds), {
    commit: world.random.text('0123456789abcdef', 40),
  });
  const draft = draftOf(world, 'receiveGitPush', {
    headers,
    body: { kind: 'bytes', bytes: Buffer.from(body), type: 'application/json' },
  });
  return { ...draft, path, pathValues: {} };
};

/** Names a deploy of the account, or asks for their list. */
const ofDeploy =
  (operation: string, query?: (world: World) => Record<string, string | number | undefined>): Recipe =>
  (world) => {
    const id = world.some('deploy');
    if (id === undefined)
      return world.random.chance(0.5) ? deploys.startHookDeploy!(world) : deploys.listDeployments!(world);
    return draftOf(world, operation, { path: { ...appOf(world), id }, ...(query && { query: query(world) }) });
  };

export const deploys: Readonly<Record<string, Recipe>> = {
  setGitWebhook: (world) => draftOf(world, 'setGitWebhook', { path: appOf(world), fields: { secret: undefined } }),
  getCurrentDeployment: (world) => draftOf(world, 'getCurrentDeployment', { path: appOf(world) }),
  listDeployments: (world) =>
    draftOf(world, 'listDeployments', {
      path: appOf(world),
      query: { limit: world.pick(undefined, 1, 100), cursor: world.some('deployCursor'), continuationToken: undefined },
    }),
  getDeployHook: (world) =>
    world.some('deployHook') === undefined
      ? deploys.createDeployHook!(world)
      : draftOf(world, 'getDeployHook', { path: appOf(world) }),
  createDeployHook: (world) =>
    draftOf(world, 'createDeployHook', {
      path: appOf(world),
      fields: {
        repository: 'https://git.invalid/acme/shop.git',
        branch: world.pick(undefined, 'next'),
        host: undefined,
      },
    }),
  revokeDeployHook: (world) => draftOf(world, 'revokeDeployHook', { path: appOf(world) }),
  startHookDeploy: (world) => {
    const hook = world.some('deployHook');
    if (hook === undefined) return deploys.createDeployHook!(world);
    const fields = { ref: world.pick(undefined, 'main'), commit: world.pick(undefined, 'a'.repeat(40)) };
    return draftOf(world, 'startHookDeploy', { path: { hook }, fields });
  },
  getCommitStatus: (world) => draftOf(world, 'getCommitStatus', { path: appOf(world) }),
  replaceCommitStatus: (world) =>
    draftOf(world, 'replaceCommitStatus', {
      path: appOf(world),
      fields: { origin: 'https://git.invalid', target_url: undefined, context: undefined },
    }),
  deleteCommitStatus: (world) => draftOf(world, 'deleteCommitStatus', { path: appOf(world) }),
  getDeployFilters: (world) => draftOf(world, 'getDeployFilters', { path: appOf(world) }),
  replaceDeployFilters: (world) =>
    draftOf(world, 'replaceDeployFilters', {
      path: appOf(world),
      fields: {
        include_branches: [],
        exclude_branches: world.pick([], ['docs']),
        include_paths: [],
        exclude_paths: world.pick([], ['**/*.md']),
      },
    }),
  runDeployment: ofDeploy('runDeployment'),
  abortDeployment: ofDeploy('abortDeployment'),
  getDeploymentLogs: ofDeploy('getDeploymentLogs', (world) => ({
    limit: world.pick(undefined, 1, 1000),
    cursor: undefined,
  })),
  receiveGitPush,
};
