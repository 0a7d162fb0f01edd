import type { QueuedStatus, StatusToken } from '../commit-status.ts';
import type { CommitStatusesTable } from '../status-table.ts';
import { record, snakeCase } from '#server/stores/tables/columns.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';

const tokens = table(
  'commit_status_tokens',
  record<StatusToken>({
    ...snakeCase('appId', 'sealedToken', 'origin', 'host', 'context', 'targetUrl', 'sentAt', 'error'),
  }),
  'app_id',
);

const statuses = table(
  'commit_statuses',
  record<QueuedStatus>({
    ...snakeCase('deployId', 'appId', 'origin', 'state', 'revision', 'tries'),
  }),
);

/** Reports of deploys to git hosts, and the tokens for them. */
export function commitStatusesTable(rows: Rows): CommitStatusesTable {
  const release = (deployId: string) =>
    rows.write('UPDATE commit_statuses SET taken_until = 0 WHERE deploy_id = ?', deployId);
  return {
    tokenOf: async (appId) => rows.one(tokens, where('app_id'), appId),
    listAfter: async (appId, limit) => rows.all(tokens, 'WHERE app_id > ? ORDER BY app_id LIMIT ?', appId, limit),
    dueOrigins: async (behind, now, limit) =>
      rows.values<string>(
        `SELECT DISTINCT origin FROM commit_statuses WHERE origin > ? AND due_at <= ? AND taken_until <= ?
          ORDER BY origin LIMIT ?`,
        behind,
        now,
        now,
        limit,
      ),
    async putToken(token) {
      await rows.put(tokens, token);
    },
    async renewToken({ appId, sealedToken: former }, sealedToken) {
      const renew = 'UPDATE commit_status_tokens SET sealed_token = ? WHERE app_id = ? AND sealed_token = ?';
      await rows.write(renew, sealedToken, appId, former);
    },
    async removeToken(appId) {
      await rows.write('DELETE FROM commit_statuses WHERE app_id = ?', appId);
      return (await rows.run('DELETE FROM commit_status_tokens WHERE app_id = ?', appId)) > 0;
    },
    async noteSent(appId, sentAt, error) {
      await rows.write('UPDATE commit_status_tokens SET sent_at = ?, error = ? WHERE app_id = ?', sentAt, error, appId);
    },
    async queue({ deployId, appId, origin, state }, now) {
      const queue = `INSERT INTO commit_statuses (deploy_id, app_id, origin, state, revision, tries, due_at)
        VALUES (?, ?, ?, ?, 1, 0, ?)
        ON CONFLICT (deploy_id) DO UPDATE SET origin = excluded.origin, state = excluded.state,
          revision = commit_statuses.revision + 1, tries = 0, due_at = excluded.due_at`;
      await rows.write(queue, deployId, appId, origin, state, now);
    },
    async takeDue(origin, now, until, limit) {
      const due = 'WHERE origin = ? AND due_at <= ? AND taken_until <= ? ORDER BY due_at, deploy_id LIMIT ?';
      const taken: QueuedStatus[] = [];
      for (const status of await rows.all(statuses, due, origin, now, now, limit)) {
        const take = `UPDATE commit_statuses SET taken_until = ?
          WHERE deploy_id = ? AND revision = ? AND taken_until <= ?`;
        if ((await rows.run(take, until, status.deployId, status.revision, now)) === 1) taken.push(status);
      }
      return taken;
    },
    async end({ deployId, revision }) {
      const end = 'DELETE FROM commit_statuses WHERE deploy_id = ? AND revision = ?';
      if ((await rows.run(end, deployId, revision)) === 0) await release(deployId);
    },
    async putBack({ deployId, revision, tries }, dueAt) {
      const put = `UPDATE commit_statuses SET tries = ?, due_at = ?, taken_until = 0
        WHERE deploy_id = ? AND revision = ?`;
      if ((await rows.run(put, tries + 1, dueAt, deployId, revision)) === 0) await release(deployId);
    },
  };
}
