import type { AiRequestEntry, AiRequestsTable } from '../ai-requests/requests-table.ts';
import { flag, record, snakeCase } from '#server/stores/tables/columns.ts';
import { hasAccount } from '#server/stores/tables/has-account.ts';
import { allOf, table, type Rows } from '#server/stores/tables/rows.ts';

const requests = table(
  'ai_requests',
  record<AiRequestEntry>({
    accountId: 'account_id',
    at: 'at',
    id: 'row_id',
    ...snakeCase('requestId', 'keyId', 'model', 'operation'),
    isStreamed: flag('is_streamed'),
    ...snakeCase('outcome', 'inputTokens', 'outputTokens', 'cost'),
    isCached: flag('is_cached'),
    ...snakeCase('durationMs', 'firstTokenMs', 'attempts', 'leftOut'),
  }),
);

/** Requests to models. */
export function aiRequestsTable(rows: Rows): AiRequestsTable {
  return {
    scan: async ({ accountId, before, limit }) =>
      rows.all(
        requests,
        'WHERE account_id = ? AND (at, row_id) < (?, ?) ORDER BY at DESC, row_id DESC LIMIT ?',
        ...[accountId, before.at, before.id, limit],
      ),
    async add(entries) {
      await allOf(entries.map((entry) => rows.insertIf(requests, entry, hasAccount, entry.accountId)));
    },
    forgetBefore: async (at, limit) =>
      rows.removeSome('ai_requests', 'account_id, at, row_id', 'at < ? ORDER BY at', at, limit),
  };
}
