import type { Actor } from '#server/domain/activity/activity.ts';
import { deviceTransitions, stateBefore, type DeviceDecision, type DeviceRequest } from '../device-request.ts';
import type { DeviceRequestsTable } from '../table.ts';
import { constant, json, nullable, record, type Fields } from '#server/stores/tables/columns.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';

const fields: Fields<DeviceRequest> = {
  clientName: 'client_name',
  scopes: json('scopes'),
  sourceIp: 'source_ip',
  state: 'state',
  decision: nullable(
    record<DeviceDecision>({
      accountId: 'account_id',
      keyId: 'key_id',
      // Only callers that are signed in with an API key decide.
      actor: record<Actor>({
        sourceIp: 'decided_from',
        userAgent: 'decided_with',
        auth: constant('api_key'),
        keyId: constant(undefined),
      }),
    }),
  ),
  createdAt: 'created_at',
  expiresAt: 'expires_at',
};

const requests = table('device_requests', record<DeviceRequest>(fields));

const newRequests = table(
  'device_requests',
  record<DeviceRequest & { deviceCode: Uint8Array; userCode: Uint8Array; intervalMs: number }>({
    ...fields,
    deviceCode: 'device_hash',
    userCode: 'user_hash',
    intervalMs: 'interval_ms',
  }),
);

/** Requests of clients for a key of their own. */
export function deviceRequestsTable(rows: Rows): DeviceRequestsTable {
  return {
    add: async (request, hashes) =>
      rows.insert(newRequests, { ...request, ...hashes }, 'ON CONFLICT (user_hash) DO NOTHING'),
    findByDeviceCode: async (hash) => rows.one(requests, where('device_hash'), hash),
    findPending: async (userCodeHash, now) =>
      rows.one(requests, "WHERE user_hash = ? AND state = 'pending' AND expires_at > ?", userCodeHash, now),
    async decide(userCodeHash, event, { accountId, keyId, actor }, now) {
      const before = stateBefore(event);
      return rows.change(
        requests,
        `UPDATE device_requests SET state = ?, account_id = ?, key_id = ?, decided_from = ?, decided_with = ?
         WHERE user_hash = ? AND state = ? AND expires_at > ?`,
        ...[deviceTransitions[before][event]!, accountId, keyId, actor.sourceIp, actor.userAgent],
        ...[userCodeHash, before, now],
      );
    },
    async spend(deviceCodeHash, now) {
      const before = stateBefore('fetch');
      const spend = 'UPDATE device_requests SET state = ? WHERE device_hash = ? AND state = ? AND expires_at > ?';
      return rows.change(requests, spend, deviceTransitions[before].fetch!, deviceCodeHash, before, now);
    },
    async notePoll(deviceCodeHash, now, slowDownMs) {
      // A poll from the future came before the clock was put back. It does not count.
      const slowDown = `UPDATE device_requests SET interval_ms = interval_ms + ?, polled_at = ?
        WHERE device_hash = ? AND polled_at <= ? AND polled_at + interval_ms > ?`;
      if ((await rows.run(slowDown, slowDownMs, now, deviceCodeHash, now, now)) > 0) return 'too-soon';
      await rows.write('UPDATE device_requests SET polled_at = ? WHERE device_hash = ?', now, deviceCodeHash);
      return 'in-time';
    },
    forgetBefore: async (at, limit) =>
      rows.removeSome('device_requests', 'device_hash', 'expires_at <= ? ORDER BY expires_at', at, limit),
  };
}
