import type { SettledTables } from '#test/contract/bad-input/settled-tables.ts';

export const settledTables: SettledTables['settledTables'] = [
  'git_webhooks',
  'deploy_apps',
  'deploys',
  'deploy_hooks',
  'commit_status_tokens',
  'commit_statuses',
  'git_deliveries',
];
