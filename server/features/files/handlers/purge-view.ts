import type { WaitingPurge } from '../purges-table.ts';
import { timestamp } from '#server/handlers/wire.ts';

/** Returns an address that the CDN has yet to drop as the operator's API and `--json` show it. */
export function purgeView({ id, url, failedTries, dueAt }: WaitingPurge) {
  return { purge_id: id, url, failed_tries: failedTries, due_at: timestamp(dueAt) };
}
