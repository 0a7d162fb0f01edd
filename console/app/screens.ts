import type { ComponentType } from 'preact';

import type { IconName } from '../ui/icon.tsx';
import type { Messages } from '../messages/en.ts';
import { isOn, type Config } from './config.ts';
import type { ScreenProps } from './screen-props.ts';
import { hasScope } from './session-state.ts';

/**
 * A screen. Its title is `messages.screens.<name>`, and its address `/console/<name>`. People keep addresses, so a name
 * stays even where the feature, which its folder is named as, has another one.
 */
export interface ScreenEntry {
  readonly name: keyof Messages['screens'];
  readonly door: Config['door'];
  readonly group: keyof Messages['groups'];
  readonly icon: IconName;
  /** The scopes of which a session needs one. Empty for none. */
  readonly scopes: readonly string[];
  /** The feature that it is of. A server may have it switched off. */
  readonly feature?: string;
  readonly load: () => Promise<{ readonly default: ComponentType<ScreenProps> }>;
}

const account = 'account';
const operator = 'operator';

/** Every screen, in the order of the menu. Each is loaded when it is first shown. */
const screens: readonly ScreenEntry[] = [
  {
    name: 'files',
    door: account,
    group: 'storage',
    icon: 'folder',
    scopes: ['blob:read'],
    load: () => import('../screens/files/files.tsx'),
  },
  {
    name: 'trash',
    feature: 'trash',
    door: account,
    group: 'storage',
    icon: 'trash',
    scopes: ['blob:read'],
    load: () => import('../screens/trash/trash.tsx'),
  },
  {
    name: 'shares',
    feature: 'shares',
    door: account,
    group: 'storage',
    icon: 'share',
    scopes: ['blob:read'],
    load: () => import('../screens/shares/shares.tsx'),
  },
  {
    name: 'requests',
    feature: 'file-requests',
    door: account,
    group: 'storage',
    icon: 'inbox',
    scopes: ['blob:read'],
    load: () => import('../screens/file-requests/file-requests.tsx'),
  },
  {
    name: 'rules',
    feature: 'rules',
    door: account,
    group: 'storage',
    icon: 'rules',
    scopes: ['blob:read'],
    load: () => import('../screens/rules/rules.tsx'),
  },
  {
    name: 's3',
    feature: 's3',
    door: account,
    group: 'storage',
    icon: 'bucket',
    scopes: ['blob:read', 'blob:write'],
    load: () => import('../screens/s3/s3.tsx'),
  },
  {
    name: 'ai',
    feature: 'chat',
    door: account,
    group: 'services',
    icon: 'spark',
    scopes: ['ai:chat'],
    load: () => import('../screens/chat/chat.tsx'),
  },
  {
    name: 'deploys',
    feature: 'apps',
    door: account,
    group: 'services',
    icon: 'rocket',
    scopes: ['apps:read'],
    load: () => import('../screens/apps/apps.tsx'),
  },
  {
    name: 'events',
    feature: 'webhooks',
    door: account,
    group: 'services',
    icon: 'bell',
    scopes: ['blob:read', 'blob:write'],
    load: () => import('../screens/webhooks/webhooks.tsx'),
  },
  {
    name: 'usage',
    door: account,
    group: 'account',
    icon: 'chart',
    scopes: ['blob:read', 'account:read'],
    load: () => import('../screens/usage/usage.tsx'),
  },
  {
    name: 'activity',
    door: account,
    group: 'account',
    icon: 'clock',
    scopes: ['account:read'],
    load: () => import('../screens/activity/activity.tsx'),
  },
  {
    name: 'keys',
    door: account,
    group: 'account',
    icon: 'key',
    scopes: ['*'],
    load: () => import('../screens/keys/keys.tsx'),
  },
  {
    name: 'overview',
    door: operator,
    group: 'installation',
    icon: 'server',
    scopes: [],
    load: () => import('../screens/overview/overview.tsx'),
  },
  {
    name: 'accounts',
    door: operator,
    group: 'installation',
    icon: 'people',
    scopes: [],
    load: () => import('../screens/accounts/accounts.tsx'),
  },
  {
    name: 'jobs',
    door: operator,
    group: 'installation',
    icon: 'jobs',
    scopes: [],
    load: () => import('../screens/jobs/jobs.tsx'),
  },
  {
    name: 'backups',
    door: operator,
    group: 'installation',
    icon: 'backup',
    scopes: [],
    load: () => import('../screens/backups/backups.tsx'),
  },
  {
    name: 'audit',
    door: operator,
    group: 'installation',
    icon: 'shield',
    scopes: [],
    load: () => import('../screens/audit/audit.tsx'),
  },
  {
    name: 'settings',
    door: account,
    group: 'account',
    icon: 'gear',
    scopes: [],
    load: () => import('../screens/settings/settings.tsx'),
  },
  {
    name: 'settings',
    door: operator,
    group: 'installation',
    icon: 'gear',
    scopes: [],
    load: () => import('../screens/settings/settings.tsx'),
  },
];

/** Returns the screens of a door that the server has and the session may use. */
export function screensFor(door: Config['door']): ScreenEntry[] {
  return screens.filter(
    ({ door: at, feature, scopes }) => at === door && (!feature || isOn(feature)) && hasScope(...scopes),
  );
}
