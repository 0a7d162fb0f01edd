import type { Listed } from '#test/architecture/listed.ts';

export const stateful: Listed['stateful'] = {
  request: ['server/features/deploys/commands/deploy-log.ts', 'server/features/deploys/handlers/git/payload-reader.ts'],
};

export const outbound: Listed['outbound'] = {
  'server/features/deploys/commands/child.ts': 'its callers: git and the command of a deploy',
  'server/features/deploys/commands/host-address.ts':
    'a push: a public host, or one that the operator names with --from',
};
