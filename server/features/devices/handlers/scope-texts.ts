import type { Scope } from '#server/domain/access/scope.ts';

/** The meaning of each scope, as the approval page says it. */
export const scopeTexts: Readonly<Record<Scope, string>> = {
  '*': 'Do everything',
  'account:read': 'See the account’s usage and activity',
  'apps:read': 'See applications',
  'apps:control': 'Start and stop applications',
  'apps:write': 'Change applications',
  'apps:deploy': 'Deploy applications',
  'files:read': 'Read the files of applications',
  'files:write': 'Change the files of applications',
  'envs:read': 'Read environment variables',
  'envs:write': 'Change environment variables',
  'snapshots:read': 'See snapshots',
  'snapshots:write': 'Make and delete snapshots',
  'databases:read': 'See databases',
  'databases:write': 'Change databases',
  'databases:credentials': 'Read the passwords of databases',
  'workspaces:manage': 'Manage workspaces',
  'ai:chat': 'Use the AI gateway',
  'blob:read': 'See and download stored files',
  'blob:write': 'Upload, change and delete stored files',
};
