import type { Rows } from './rows.ts';

const ofAccount = 'account_id = ?';
const ofApps = 'app_id IN (SELECT app_id FROM apps WHERE account_id = ?)';
const ofWebhooks = 'webhook_id IN (SELECT webhook_id FROM webhooks WHERE account_id = ?)';
const ofFolderJobs = 'job_id IN (SELECT job_id FROM folder_jobs WHERE account_id = ?)';
const ofFileRequests = 'request_id IN (SELECT request_id FROM file_requests WHERE account_id = ?)';
const ofEdgeApps = 'app_no IN (SELECT app_no FROM edge_apps JOIN apps USING (app_id) WHERE account_id = ?)';

/**
 * The tables whose rows belong to an account, each with the columns that identify a row and the condition for those of
 * an account. Rows that others refer to come after those. Files and open uploads are removed elsewhere.
 */
const tables: ReadonlyArray<readonly [table: string, key: string, which: string]> = [
  ['share_files', 'share_id, position', ofAccount],
  ['shares', 'share_id', ofAccount],
  ['file_request_files', 'request_id, sender_hash, number', ofFileRequests],
  ['file_request_senders', 'request_id, sender_hash', ofFileRequests],
  ['file_requests', 'request_id', ofAccount],
  ['upload_tokens', 'token_id', ofAccount],
  ['browser_sessions', 'session_id', ofAccount],
  ['device_requests', 'device_hash', ofAccount],
  ['chunked_uploads', 'upload_id', `${ofAccount} AND state <> 'open' AND has_parts_left = 0`],
  ['api_keys', 'key_id', ofAccount],
  ['rules', 'account_id, prefix', ofAccount],
  ['image_presets', 'account_id, name', ofAccount],
  ['usage_days', 'account_id, day', ofAccount],
  ['traffic_days', 'account_id, day', ofAccount],
  ['legacy_imports', 'account_id, key', ofAccount],
  ['chat_days', 'account_id, day', ofAccount],
  ['chat_usage_days', 'account_id, day, key_id, model', ofAccount],
  ['ai_requests', 'account_id, at, row_id', ofAccount],
  ['chat_reached_budgets', 'account_id, budget, starts_at, token_limit', ofAccount],
  ['activity', 'account_id, sequence', ofAccount],
  ['events', 'account_id, sequence', ofAccount],
  ['webhook_deliveries', 'webhook_id, sequence', ofWebhooks],
  ['webhooks', 'webhook_id', ofAccount],
  ['folder_job_failures', 'job_id, number', ofFolderJobs],
  ['folder_jobs', 'job_id', ofAccount],
  ['git_deliveries', 'app_id, hash', ofApps],
  ['deploys', 'sequence', ofApps],
  ['deploy_hooks', 'app_id', ofApps],
  ['commit_statuses', 'deploy_id', ofApps],
  ['commit_status_tokens', 'app_id', ofApps],
  ['git_webhooks', 'app_id', ofApps],
  ['edge_logs', 'log_id', ofApps],
  ['edge_path_days', 'app_no, day, path_id', ofEdgeApps],
  ['edge_path_errors', 'app_no, resolution, at', ofEdgeApps],
  ['edge_errors', 'app_no, resolution, at, status, method', ofEdgeApps],
  ['edge_apps', 'app_no', ofApps],
  ['apps', 'app_id', ofAccount],
];

/** Removes up to `limit` rows that belong to an account. Returns how many. */
export async function removeSomeOf(rows: Rows, accountId: string, limit: number): Promise<number> {
  let removed = 0;
  for (const [name, key, which] of tables) {
    removed += await rows.removeSome(name, key, which, accountId, limit - removed);
    if (removed >= limit) break;
  }
  return removed;
}

/** The names of these tables. */
export const tablesOfAccounts: readonly string[] = tables.map(([name]) => name);
