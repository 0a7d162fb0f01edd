import type { DatabaseSync } from 'node:sqlite';

import type { Scope } from '#server/domain/access/scope.ts';
import {
  deviceTransitions,
  stateBefore,
  type DeviceDecision,
  type DeviceRequest,
} from '#server/domain/devices/device-request.ts';
import type { DeviceRequestsTable, PollPace } from '#server/domain/devices/table.ts';
import { statement } from './connection.ts';

interface DeviceRequestRow {
  readonly client_name: string;
  readonly scopes: string;
  readonly source_ip: string;
  readonly state: DeviceRequest['state'];
  readonly created_at: number;
  readonly expires_at: number;
  readonly account_id: string | null;
  readonly key_id: string | null;
  readonly decided_from: string | null;
  readonly decided_with: string | null;
}

function requestOf(row: DeviceRequestRow): DeviceRequest {
  return {
    clientName: row.client_name,
    scopes: JSON.parse(row.scopes) as Scope[],
    sourceIp: row.source_ip,
    state: row.state,
    decision: decisionOf(row),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** Only who is signed in with an API key decides. */
function decisionOf({
  account_id: accountId,
  key_id: keyId,
  decided_from: sourceIp,
  decided_with: userAgent,
}: DeviceRequestRow): DeviceDecision | null {
  return accountId === null || keyId === null
    ? null
    : { accountId, keyId, actor: { sourceIp, userAgent, auth: 'api_key' } };
}

/** Clients that ask for a key of their own, over the connection that writes. */
export class SqliteDeviceRequests implements DeviceRequestsTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async add(
    request: DeviceRequest,
    hashes: { readonly deviceCode: Uint8Array; readonly userCode: Uint8Array; readonly intervalMs: number },
  ): Promise<boolean> {
    const { changes } = statement(
      this.#db(),
      `INSERT INTO device_requests (device_hash, user_hash, client_name, scopes, source_ip, state, created_at, expires_at, interval_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (user_hash) DO NOTHING`,
    ).run(
      hashes.deviceCode,
      hashes.userCode,
      request.clientName,
      JSON.stringify(request.scopes),
      request.sourceIp,
      request.state,
      request.createdAt,
      request.expiresAt,
      hashes.intervalMs,
    );
    return changes > 0;
  }

  async findByDeviceCode(hash: Uint8Array): Promise<DeviceRequest | undefined> {
    const row = statement(this.#db(), 'SELECT * FROM device_requests WHERE device_hash = ?').get(hash);
    return row && requestOf(row as unknown as DeviceRequestRow);
  }

  async findPending(userCodeHash: Uint8Array, now: number): Promise<DeviceRequest | undefined> {
    const row = statement(
      this.#db(),
      "SELECT * FROM device_requests WHERE user_hash = ? AND state = 'pending' AND expires_at > ?",
    ).get(userCodeHash, now);
    return row && requestOf(row as unknown as DeviceRequestRow);
  }

  async decide(
    userCodeHash: Uint8Array,
    event: 'approve' | 'refuse',
    { accountId, keyId, actor }: DeviceDecision,
    now: number,
  ): Promise<DeviceRequest | undefined> {
    const before = stateBefore(event);
    const row = statement(
      this.#db(),
      `UPDATE device_requests SET state = ?, account_id = ?, key_id = ?, decided_from = ?, decided_with = ?
       WHERE user_hash = ? AND state = ? AND expires_at > ? RETURNING *`,
    ).get(
      deviceTransitions[before][event]!,
      accountId,
      keyId,
      actor.sourceIp,
      actor.userAgent,
      userCodeHash,
      before,
      now,
    );
    return row && requestOf(row as unknown as DeviceRequestRow);
  }

  async spend(deviceCodeHash: Uint8Array, now: number): Promise<DeviceRequest | undefined> {
    const before = stateBefore('fetch');
    const row = statement(
      this.#db(),
      'UPDATE device_requests SET state = ? WHERE device_hash = ? AND state = ? AND expires_at > ? RETURNING *',
    ).get(deviceTransitions[before].fetch!, deviceCodeHash, before, now);
    return row && requestOf(row as unknown as DeviceRequestRow);
  }

  async notePoll(deviceCodeHash: Uint8Array, now: number, slowDownMs: number): Promise<PollPace> {
    // A question from the future was asked before the clock was put back: it counts as none.
    const { changes } = statement(
      this.#db(),
      `UPDATE device_requests SET interval_ms = interval_ms + ?, polled_at = ?
       WHERE device_hash = ? AND polled_at <= ? AND polled_at + interval_ms > ?`,
    ).run(slowDownMs, now, deviceCodeHash, now, now);
    if (changes > 0) return 'too-soon';
    statement(this.#db(), 'UPDATE device_requests SET polled_at = ? WHERE device_hash = ?').run(now, deviceCodeHash);
    return 'in-time';
  }

  async forgetBefore(at: number, limit: number): Promise<number> {
    const { changes } = statement(
      this.#db(),
      'DELETE FROM device_requests WHERE device_hash IN (SELECT device_hash FROM device_requests WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)',
    ).run(at, limit);
    return Number(changes);
  }
}
