import { feature, ofAccount } from '#server/feature.ts';
import { addBuiltInApp, appsTable } from './tables/apps.ts';

/** The condition for rows that name an application. */
export const ofApps = 'app_id IN (SELECT app_id FROM apps WHERE account_id = ?)';

/** Applications of an account, which group its deploys and its errors. */
export const apps = feature({
  name: 'apps',
  needs: [],
  schema: ['apps'],
  tables: {
    apps: appsTable,
  },
  addFirstRows: addBuiltInApp,
  accountRows: [['apps', 'app_id', ofAccount]],
  commands: () => import('./commands/commands.ts'),
  serve: () => import('./serve.ts'),
});
