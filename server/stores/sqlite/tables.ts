import type { TableName, Tables } from '#server/domain/ports/metadata.ts';
import { sqliteAccounts } from './accounts.ts';
import { sqliteActivity } from './activity.ts';
import { sqliteApiKeys } from './api-keys.ts';
import { sqliteApps } from './apps.ts';
import { sqliteChat } from './chat.ts';
import { sqliteChunkedUploads } from './chunked-uploads.ts';
import { sqliteClockJump } from './clock-jump.ts';
import { sqliteContents } from './contents.ts';
import { sqliteDeploys } from './deploys.ts';
import { sqliteDeviceRequests } from './device-requests.ts';
import { sqliteEdgeErrors } from './edge-errors.ts';
import { sqliteEdgeLogs } from './edge-logs.ts';
import { sqliteGitDeliveries } from './git-deliveries.ts';
import { sqliteGitWebhooks } from './git-webhooks.ts';
import { sqliteLegacyImports } from './legacy-imports.ts';
import { sqliteLimitWindows } from './limit-windows.ts';
import { sqliteObjects } from './objects.ts';
import { sqliteReservations } from './reservations.ts';
import type { Rows, TableContext } from './rows.ts';
import { sqliteRules } from './rules.ts';
import { sqliteSessions } from './sessions.ts';
import { sqliteShares } from './shares.ts';
import { sqliteUploadTokens } from './upload-tokens.ts';

type Open<Name extends TableName> = (rows: Rows, context: TableContext) => Tables[Name];

const open: { readonly [Name in TableName]: Open<Name> } = {
  accounts: sqliteAccounts,
  activity: sqliteActivity,
  apiKeys: sqliteApiKeys,
  apps: sqliteApps,
  chat: sqliteChat,
  chunkedUploads: sqliteChunkedUploads,
  clockJump: sqliteClockJump,
  contents: sqliteContents,
  deploys: sqliteDeploys,
  deviceRequests: sqliteDeviceRequests,
  edgeErrors: sqliteEdgeErrors,
  edgeLogs: sqliteEdgeLogs,
  gitDeliveries: sqliteGitDeliveries,
  gitWebhooks: sqliteGitWebhooks,
  legacyImports: sqliteLegacyImports,
  limitWindows: sqliteLimitWindows,
  objects: sqliteObjects,
  reservations: sqliteReservations,
  rules: sqliteRules,
  sessions: sqliteSessions,
  shares: sqliteShares,
  uploadTokens: sqliteUploadTokens,
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
