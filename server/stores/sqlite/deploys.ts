import type { DatabaseSync } from 'node:sqlite';

import type { Deploy, DeployState, GitHost } from '#server/domain/deploys/deploy.ts';
import type { DeploysReader, DeploysTable } from '#server/domain/deploys/table.ts';
import { statement } from './connection.ts';

interface DeployRow {
  readonly sequence: number;
  readonly deploy_id: string;
  readonly app_id: string;
  readonly state: DeployState;
  readonly branch: string;
  readonly commit_id: string;
  readonly message: string | null;
  readonly repository: string | null;
  readonly host: GitHost;
  readonly created_at: number;
  readonly updated_at: number;
  readonly tries: number;
  readonly due_at: number;
  readonly lease_id: string | null;
  readonly leased_until: number | null;
}

function deployOf(row: DeployRow): Deploy {
  return {
    id: row.deploy_id,
    sequence: row.sequence,
    appId: row.app_id,
    state: row.state,
    branch: row.branch,
    commit: row.commit_id,
    message: row.message,
    repository: row.repository,
    host: row.host,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    tries: row.tries,
    dueAt: row.due_at,
    lease: row.lease_id === null ? null : { id: row.lease_id, until: row.leased_until! },
  };
}

/** To be called with every change of an application's webhook and of its deploys. */
export function countRevision(db: DatabaseSync, appId: string): void {
  statement(db, 'UPDATE apps SET deploy_revision = deploy_revision + 1 WHERE app_id = ?').run(appId);
}

/** Deploys of applications, over one connection. */
export class SqliteDeploys implements DeploysTable {
  readonly #db: () => DatabaseSync;

  constructor(db: () => DatabaseSync) {
    this.#db = db;
  }

  async find(deployId: string): Promise<Deploy | undefined> {
    return this.#one('SELECT * FROM deploys WHERE deploy_id = ?', deployId);
  }

  async listOf({
    appId,
    before = Number.MAX_SAFE_INTEGER,
    limit,
  }: Parameters<DeploysReader['listOf']>[0]): Promise<Deploy[]> {
    return this.#all(
      'SELECT * FROM deploys WHERE app_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?',
      appId,
      before,
      limit,
    );
  }

  async revision(appId: string): Promise<number | undefined> {
    const row = statement(this.#db(), 'SELECT deploy_revision FROM apps WHERE app_id = ?').get(appId);
    return row && Number(row.deploy_revision);
  }

  async add({
    id,
    appId,
    state,
    branch,
    commit,
    message,
    repository,
    host,
    createdAt,
    updatedAt,
    tries,
    dueAt,
    lease,
  }: Omit<Deploy, 'sequence'>): Promise<void> {
    statement(
      this.#db(),
      `INSERT INTO deploys (deploy_id, app_id, state, branch, commit_id, message, repository, host, created_at, updated_at, tries, due_at, lease_id, leased_until)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      id,
      appId,
      state,
      branch,
      commit,
      message,
      repository,
      host,
      createdAt,
      updatedAt,
      tries,
      dueAt,
      lease && lease.id,
      lease && lease.until,
    );
    countRevision(this.#db(), appId);
  }

  async waiting(appId: string, branch: string): Promise<Deploy | undefined> {
    return this.#one("SELECT * FROM deploys WHERE app_id = ? AND branch = ? AND state = 'pending'", appId, branch);
  }

  async newestOfBranch(appId: string, branch: string): Promise<Deploy | undefined> {
    return this.#one(
      'SELECT * FROM deploys WHERE app_id = ? AND branch = ? ORDER BY sequence DESC LIMIT 1',
      appId,
      branch,
    );
  }

  async nextDue(now: number): Promise<Deploy | undefined> {
    const isBusy =
      "EXISTS (SELECT 1 FROM deploys AS other WHERE other.app_id = deploys.app_id AND other.branch = deploys.branch AND other.state = 'running')";
    return this.#one(
      `SELECT * FROM deploys WHERE state = 'pending' AND due_at <= ? AND NOT ${isBusy} ORDER BY sequence LIMIT 1`,
      now,
    );
  }

  async leaseEnded(now: number): Promise<Deploy[]> {
    return this.#all("SELECT * FROM deploys WHERE state = 'running' AND leased_until < ? ORDER BY leased_until", now);
  }

  async change(before: Deploy, { state, message, updatedAt, tries, dueAt, lease }: Deploy): Promise<boolean> {
    const { changes } = statement(
      this.#db(),
      `UPDATE deploys SET state = ?, message = ?, updated_at = ?, tries = ?, due_at = ?, lease_id = ?, leased_until = ?
       WHERE deploy_id = ? AND state = ? AND lease_id IS ?`,
    ).run(
      state,
      message,
      updatedAt,
      tries,
      dueAt,
      lease && lease.id,
      lease && lease.until,
      before.id,
      before.state,
      before.lease && before.lease.id,
    );
    if (changes === 1) countRevision(this.#db(), before.appId);
    return changes === 1;
  }

  async renewLease(deployId: string, leaseId: string, until: number): Promise<boolean> {
    return (
      statement(this.#db(), 'UPDATE deploys SET leased_until = ? WHERE deploy_id = ? AND lease_id = ?').run(
        until,
        deployId,
        leaseId,
      ).changes === 1
    );
  }

  #one(sql: string, ...values: Array<string | number>): Deploy | undefined {
    const row = statement(this.#db(), sql).get(...values);
    return row && deployOf(row as unknown as DeployRow);
  }

  #all(sql: string, ...values: Array<string | number>): Deploy[] {
    return (statement(this.#db(), sql).all(...values) as unknown as DeployRow[]).map(deployOf);
  }
}
