import type { TableName, Tables } from '#server/domain/ports/metadata.ts';
import { accountsTable } from './accounts.ts';
import { activityTable } from './activity.ts';
import { aiRequestsTable } from '#server/features/chat/tables/ai-requests.ts';
import { apiKeysTable } from './api-keys.ts';
import { appsTable } from '#server/features/deploys/tables/apps.ts';
import { auditTable } from './audit.ts';
import { backupsTable } from './backups.ts';
import { browserSessionsTable } from './browser-sessions.ts';
import { bundlesTable } from '#server/features/shares/tables/bundles.ts';
import { chatTable } from '#server/features/chat/tables/chat.ts';
import { chunkedUploadsTable } from '#server/features/uploads/tables/chunked-uploads.ts';
import { clockJumpTable } from './clock-jump.ts';
import { commitStatusesTable } from '#server/features/deploys/tables/commit-statuses.ts';
import { contentsTable } from '#server/features/files/tables/contents.ts';
import { deployHooksTable } from '#server/features/deploys/tables/deploy-hooks.ts';
import { deploysTable } from '#server/features/deploys/tables/deploys.ts';
import { deviceRequestsTable } from '#server/features/devices/tables/device-requests.ts';
import { edgeErrorsTable } from '#server/features/edge-errors/tables/edge-errors.ts';
import { edgeLogsTable } from '#server/features/edge-errors/tables/edge-logs.ts';
import { eventsTable } from './events.ts';
import { fileRequestsTable } from '#server/features/file-requests/tables/file-requests.ts';
import { folderJobsTable } from '#server/features/folders/tables/folder-jobs.ts';
import { gitDeliveriesTable } from '#server/features/deploys/tables/git-deliveries.ts';
import { gitWebhooksTable } from '#server/features/deploys/tables/git-webhooks.ts';
import { imagePresetsTable } from '#server/features/images/tables/image-presets.ts';
import { jobRunsTable } from './job-runs.ts';
import { linksOfFileTable } from '#server/features/files/tables/links-of-file.ts';
import { legacyImportsTable } from '#server/features/files/tables/legacy-imports.ts';
import { limitWindowsTable } from './limit-windows.ts';
import { masterKeysTable } from './master-keys.ts';
import { objectsTable } from '#server/features/files/tables/objects.ts';
import { operatorKeysTable } from './operator-keys.ts';
import { purgesTable } from '#server/features/files/tables/purges.ts';
import { reservationsTable } from '#server/features/files/tables/reservations.ts';
import { rootKeysTable } from './root-keys.ts';
import type { Rows, TableContext } from './rows.ts';
import { rulesTable } from '#server/features/rules/tables/rules.ts';
import { sessionsTable } from './sessions.ts';
import { sharesTable } from '#server/features/shares/tables/shares.ts';
import { storeCheckTable } from './store-check.ts';
import { startedSettingsTable } from './started-settings.ts';
import { trafficTable } from './traffic.ts';
import { trashTable } from '#server/features/files/tables/trash.ts';
import { uploadTokensTable } from './upload-tokens.ts';
import { webhooksTable } from '#server/features/webhooks/tables/webhooks.ts';

type Open<Name extends TableName> = (rows: Rows, context: TableContext) => Tables[Name];

const open: { readonly [Name in TableName]: Open<Name> } = {
  accounts: accountsTable,
  activity: activityTable,
  aiRequests: aiRequestsTable,
  apiKeys: apiKeysTable,
  apps: appsTable,
  audit: auditTable,
  backups: backupsTable,
  browserSessions: browserSessionsTable,
  bundles: bundlesTable,
  chat: chatTable,
  chunkedUploads: chunkedUploadsTable,
  clockJump: clockJumpTable,
  commitStatuses: commitStatusesTable,
  contents: contentsTable,
  deployHooks: deployHooksTable,
  deploys: deploysTable,
  deviceRequests: deviceRequestsTable,
  edgeErrors: edgeErrorsTable,
  edgeLogs: edgeLogsTable,
  events: eventsTable,
  fileRequests: fileRequestsTable,
  folderJobs: folderJobsTable,
  gitDeliveries: gitDeliveriesTable,
  gitWebhooks: gitWebhooksTable,
  imagePresets: imagePresetsTable,
  jobRuns: jobRunsTable,
  legacyImports: legacyImportsTable,
  linksOfFile: linksOfFileTable,
  limitWindows: limitWindowsTable,
  masterKeys: masterKeysTable,
  objects: objectsTable,
  operatorKeys: operatorKeysTable,
  purges: purgesTable,
  reservations: reservationsTable,
  rootKeys: rootKeysTable,
  rules: rulesTable,
  sessions: sessionsTable,
  shares: sharesTable,
  storeCheck: storeCheckTable,
  startedSettings: startedSettingsTable,
  traffic: trafficTable,
  trash: trashTable,
  uploadTokens: uploadTokensTable,
  webhooks: webhooksTable,
};

export const tableNames = Object.keys(open) as TableName[];

/** Tables over one connection. Each is made at its first use, because a transaction uses few of them. */
class OpenTables {
  readonly made: { [Name in TableName]?: Tables[Name] } = {};
  readonly rows: Rows;
  readonly context: TableContext;

  constructor(rows: Rows, context: TableContext) {
    this.rows = rows;
    this.context = context;
  }
}

for (const name of tableNames) {
  Object.defineProperty(OpenTables.prototype, name, {
    get(this: OpenTables) {
      return (this.made[name] ??= open[name](this.rows, this.context) as never);
    },
  });
}

export function openTables(rows: Rows, context: TableContext): Tables {
  return new OpenTables(rows, context) as unknown as Tables;
}
