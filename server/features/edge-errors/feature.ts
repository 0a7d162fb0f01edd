import { feature } from '#server/feature.ts';
import { apps, ofApps } from '../apps/feature.ts';
import { edgeErrorsTable } from './tables/edge-errors.ts';
import { edgeLogsTable } from './tables/edge-logs.ts';
import { forgetEdgeErrors, forgetEveryMs } from './forget-edge-errors.ts';

const ofEdgeApps = 'app_no IN (SELECT app_no FROM edge_apps JOIN apps USING (app_id) WHERE account_id = ?)';

/** Errors that visitors met, counted from the doors and from logs of web servers. */
export const edgeErrors = feature({
  name: 'edge-errors',
  needs: [apps],
  pages: ['edge-errors'],
  schema: ['edge-errors'],
  tables: {
    edgeErrors: edgeErrorsTable,
    edgeLogs: edgeLogsTable,
  },
  readSteps: {
    edgeErrors: ['addByPath', 'byBucket', 'nextApps', 'nextPaths'],
  },
  accountRows: [
    ['edge_logs', 'log_id', ofApps],
    ['edge_path_days', 'app_no, day, path_id', ofEdgeApps],
    ['edge_path_errors', 'app_no, resolution, at', ofEdgeApps],
    ['edge_errors', 'app_no, resolution, at, status, method', ofEdgeApps],
    ['edge_apps', 'app_no', ofApps],
  ],
  jobs: {
    'forget-edge-errors': { stage: 'rows', trustsClock: true, everyMs: forgetEveryMs, run: forgetEdgeErrors },
  },
  commands: () => import('./commands/commands.ts'),
  serve: () => import('./serve.ts'),
});
