import type { AccountTraffic, TrafficOfDay, TrafficTable } from '#server/domain/account/traffic-table.ts';
import { record, type Fields } from './columns.ts';
import { table, type Rows } from './rows.ts';

const dayFields: Fields<TrafficOfDay> = { day: 'day', requests: 'requests', egressBytes: 'egress_bytes' };

const trafficDays = table('traffic_days', record<TrafficOfDay>(dayFields));

/** The account may be gone, because its traffic is stored a moment later. */
const addDay = `INSERT INTO traffic_days (account_id, day, requests, egress_bytes)
  SELECT account_id, CAST(?2 AS BIGINT), CAST(?3 AS BIGINT), CAST(?4 AS BIGINT) FROM accounts WHERE account_id = ?1
  ON CONFLICT (account_id, day) DO UPDATE SET requests = traffic_days.requests + excluded.requests,
    egress_bytes = traffic_days.egress_bytes + excluded.egress_bytes`;

/** The days of two servers, so that both lock rows in the same order. */
function byRow(one: AccountTraffic, other: AccountTraffic): number {
  if (one.accountId !== other.accountId) return one.accountId < other.accountId ? -1 : 1;
  return one.day - other.day;
}

/** The traffic of accounts by day. */
export function trafficTable(rows: Rows): TrafficTable {
  return {
    daysOf: async (accountId, { from, to }) =>
      rows.all(trafficDays, 'WHERE account_id = ? AND day >= ? AND day <= ? ORDER BY day', accountId, from, to),
    async add(traffic) {
      for (const { accountId, day, requests, egressBytes } of traffic.toSorted(byRow))
        await rows.write(addDay, accountId, day, requests, egressBytes);
    },
    forgetBefore: async (day, limit) =>
      rows.removeSome('traffic_days', 'account_id, day', 'day < ? ORDER BY day', day, limit),
  };
}
