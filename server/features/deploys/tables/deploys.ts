import type { Deploy, DeployLease } from '../deploy.ts';
import type { DeployFilters } from '../deploy-filters.ts';
import type { DeploysTable } from '../table.ts';
import { type Fields, nullable, record, snakeCase } from '#server/stores/tables/columns.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';

type Changing = Pick<Deploy, 'state' | 'commit' | 'message' | 'updatedAt' | 'tries' | 'dueAt' | 'lease'>;

const changingFields: Fields<Changing> = {
  state: 'state',
  commit: 'commit_id',
  ...snakeCase('message', 'updatedAt', 'tries', 'dueAt'),
  lease: nullable(record<DeployLease>({ id: 'lease_id', until: 'leased_until' })),
};

const newFields: Fields<Omit<Deploy, 'sequence'>> = {
  ...changingFields,
  id: 'deploy_id',
  ...snakeCase('appId', 'branch', 'repository', 'host', 'createdAt', 'cancelRequestedAt'),
};

const deploys = table('deploys', record<Deploy>({ ...newFields, sequence: 'sequence' }));
const newDeploys = table('deploys', record<Omit<Deploy, 'sequence'>>(newFields));
const changes = table('deploys', record<Changing>(changingFields));

/** Raises the deploy revision of an application. Call it with every change of its webhook or deploys. */
export async function countRevision(rows: Rows, appId: string): Promise<void> {
  const count = `INSERT INTO deploy_apps (app_id, revision) VALUES (?, 1)
    ON CONFLICT (app_id) DO UPDATE SET revision = deploy_apps.revision + 1`;
  await rows.write(count, appId);
}

/** Whether a deploy of the same branch is running. */
const isBusy = `EXISTS (SELECT 1 FROM deploys AS other
  WHERE other.app_id = deploys.app_id AND other.branch = deploys.branch AND other.state = 'running')`;

/** Whether an operator has stopped the account of a deploy. */
const isStopped = `EXISTS (SELECT 1 FROM apps JOIN accounts ON accounts.account_id = apps.account_id
  WHERE apps.app_id = deploys.app_id AND (accounts.suspended_at IS NOT NULL OR accounts.deleted_at IS NOT NULL))`;

export function deploysTable(rows: Rows): DeploysTable {
  return {
    find: async (deployId) => rows.one(deploys, where('deploy_id'), deployId),
    listOf: async ({ appId, before = Number.MAX_SAFE_INTEGER, limit }) =>
      rows.all(deploys, 'WHERE app_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?', appId, before, limit),
    async filtersOf(appId) {
      const stored = await rows.value<string | null>('SELECT filters FROM deploy_apps WHERE app_id = ?', appId);
      return stored ? (JSON.parse(stored) as DeployFilters) : undefined;
    },
    async setFilters(appId, filters) {
      const stored = filters && JSON.stringify(filters);
      const set = `INSERT INTO deploy_apps (app_id, filters) VALUES (?, ?)
        ON CONFLICT (app_id) DO UPDATE SET filters = excluded.filters`;
      await rows.write(set, appId, stored);
    },
    revision: async (appId) =>
      (await rows.value<number>('SELECT revision FROM deploy_apps WHERE app_id = ?', appId)) ?? 0,
    async add(deploy) {
      await rows.insert(newDeploys, deploy);
      await countRevision(rows, deploy.appId);
    },
    waiting: async (appId, branch) =>
      rows.one(deploys, "WHERE app_id = ? AND branch = ? AND state = 'pending'", appId, branch),
    newestOfBranch: async (appId, branch) =>
      rows.one(deploys, 'WHERE app_id = ? AND branch = ? ORDER BY sequence DESC LIMIT 1', appId, branch),
    nextDue: async (now) =>
      rows.one(
        deploys,
        `WHERE state = 'pending' AND due_at <= ? AND NOT ${isBusy} AND NOT ${isStopped} ORDER BY sequence LIMIT 1`,
        now,
      ),
    leaseEnded: async (now) =>
      rows.all(deploys, "WHERE state = 'running' AND leased_until < ? ORDER BY leased_until", now),
    async change({ id, appId, state, lease }, after) {
      const which = 'deploy_id = ? AND state = ? AND lease_id IS NOT DISTINCT FROM ?';
      const isChanged = (await rows.update(changes, after, which, id, state, lease && lease.id)) === 1;
      if (isChanged) await countRevision(rows, appId);
      return isChanged;
    },
    async askCancel(deployId, at) {
      const ask = `UPDATE deploys SET cancel_requested_at = coalesce(cancel_requested_at, ?)
        WHERE deploy_id = ? AND state IN ('pending', 'running')`;
      return (await rows.run(ask, at, deployId)) === 1;
    },
    async renewLease(deployId, leaseId, until) {
      const renew = 'UPDATE deploys SET leased_until = ? WHERE deploy_id = ? AND lease_id = ?';
      return (await rows.run(renew, until, deployId, leaseId)) === 1;
    },
  };
}
