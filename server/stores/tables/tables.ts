import type { TableName, Tables } from '#server/domain/ports/metadata.ts';
import type { TableOpeners } from '#server/feature.ts';
import { joinedByName } from '#server/feature-parts.ts';
import { features } from '#server/features.ts';
import { withRowsOfFeatures } from './account-rows.ts';
import { accountsTable } from './accounts.ts';
import { activityTable } from './activity.ts';
import { apiKeysTable } from './api-keys.ts';
import { auditTable } from './audit.ts';
import { backupsTable } from './backups.ts';
import { browserSessionsTable } from './browser-sessions.ts';
import { clockJumpTable } from './clock-jump.ts';
import { contentsTable } from './contents.ts';
import { eventsTable } from './events.ts';
import { jobRunsTable } from './job-runs.ts';
import { limitWindowsTable } from './limit-windows.ts';
import { masterKeysTable } from './master-keys.ts';
import { operatorKeysTable } from './operator-keys.ts';
import { rootKeysTable } from './root-keys.ts';
import { reservationsTable } from './reservations.ts';
import type { Rows, TableContext } from './rows.ts';
import { sessionsTable } from './sessions.ts';
import { storeCheckTable } from './store-check.ts';
import { startedSettingsTable } from './started-settings.ts';
import { trafficTable } from './traffic.ts';
import { uploadTokensTable } from './upload-tokens.ts';

const ofCore = {
  accounts: (rows, context) => withRowsOfFeatures(rows, accountsTable(rows, context)),
  activity: activityTable,
  apiKeys: apiKeysTable,
  audit: auditTable,
  backups: backupsTable,
  browserSessions: browserSessionsTable,
  clockJump: clockJumpTable,
  contents: contentsTable,
  events: eventsTable,
  jobRuns: jobRunsTable,
  limitWindows: limitWindowsTable,
  masterKeys: masterKeysTable,
  operatorKeys: operatorKeysTable,
  reservations: reservationsTable,
  rootKeys: rootKeysTable,
  sessions: sessionsTable,
  storeCheck: storeCheckTable,
  startedSettings: startedSettingsTable,
  traffic: trafficTable,
  uploadTokens: uploadTokensTable,
} satisfies TableOpeners;

type NamesOf<Manifest> = Manifest extends { readonly tables: infer Openers } ? keyof Openers : never;
type Missing = Exclude<TableName, keyof typeof ofCore | NamesOf<(typeof features)[number]>>;

/** What follows does not compile while a table has no opener. */
const open = joinedByName('tables', features, ofCore) as [Missing] extends [never] ? Required<TableOpeners> : Missing;

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
    set(this: OpenTables, table: never) {
      this.made[name] = table;
    },
  });
}

export function openTables(rows: Rows, context: TableContext): Tables {
  return new OpenTables(rows, context) as unknown as Tables;
}
