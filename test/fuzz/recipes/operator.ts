import { draftOf } from '../contract-draft.ts';
import type { Draft } from '../draft.ts';
import type { Recipe, World } from '../world.ts';

/** Calls `use` with an account that may be suspended and deleted. Without one, the request makes one. */
function withVictim(world: World, kind: string, use: (path: { account_id: string }) => Draft): Draft {
  const account = world.shared.some(kind, world.random) ?? world.shared.some('victim', world.random);
  return account === undefined ? operator.createAccount!(world) : use({ account_id: account });
}

const onVictim =
  (id: string, kind = 'victim'): Recipe =>
  (world) =>
    withVictim(world, kind, (path) => draftOf(world, id, { path }));

export const operator: Readonly<Record<string, Recipe>> = {
  listAccounts: (world) =>
    draftOf(world, 'listAccounts', {
      query: {
        limit: world.pick(1, 3, 20),
        cursor: world.shared.some('accountCursor', world.random),
        continuationToken: undefined,
      },
    }),
  createAccount: (world) => draftOf(world, 'createAccount'),
  getAccount: onVictim('getAccount'),
  deleteAccount: onVictim('deleteAccount'),
  updateAccount: (world) =>
    withVictim(world, 'victim', (path) => {
      const fields = world.pick<object>(
        { plan: 'pro', own_ai_budget: undefined },
        { plan: 'enterprise' },
        { own_quota_bytes: 1_000_000, own_ai_budget: undefined },
      );
      return draftOf(world, 'updateAccount', { path, fields: { ...fields } });
    }),
  suspendAccount: onVictim('suspendAccount'),
  resumeAccount: onVictim('resumeAccount'),
  restoreAccount: onVictim('restoreAccount', 'deletedVictim'),
  getAccountUsage: onVictim('getAccountUsage'),
  getAccountAiUsage: (world) =>
    withVictim(world, 'victim', (path) =>
      draftOf(world, 'getAccountAiUsage', { path, query: { from: undefined, to: undefined, group_by: 'day,key' } }),
    ),
  updateAccountKey: (world) => {
    const id = world.shared.some('victimKey', world.random);
    const fields = { ai: world.pick<unknown>(null, { requests_per_day: 1000 }) };
    return id === undefined
      ? operator.createAccountKey!(world)
      : draftOf(world, 'updateAccountKey', { path: { id }, fields });
  },
  listAccountKeys: onVictim('listAccountKeys'),
  listAccountApps: onVictim('listAccountApps'),
  createAccountApp: onVictim('createAccountApp'),
  createAccountKey: (world) =>
    withVictim(world, 'victim', (path) =>
      draftOf(world, 'createAccountKey', { path, fields: { prefixes: undefined, resources: undefined } }),
    ),
  revokeAccountKey: (world) => {
    const id = world.shared.some('victimKey', world.random);
    return id === undefined ? operator.createAccountKey!(world) : draftOf(world, 'revokeAccountKey', { path: { id } });
  },
  runJob: (world) => {
    const job = world.shared.some('job', world.random);
    return job === undefined ? draftOf(world, 'listJobs') : draftOf(world, 'runJob', { path: { job } });
  },
  listAuditEntries: (world) =>
    draftOf(world, 'listAuditEntries', {
      query: {
        limit: world.pick(1, 3, 20),
        cursor: world.shared.some('auditCursor', world.random),
        continuationToken: undefined,
      },
    }),
  verifyAuditLog: (world) =>
    draftOf(world, 'verifyAuditLog', { query: { expect: world.shared.some('auditHead', world.random) } }),
  getMetrics: (world) => draftOf(world, 'getMetrics', { door: 'operator' }),
  getLiveness: (world) => draftOf(world, 'getLiveness', { door: world.pick('api', 'operator') }),
  getReadiness: (world) => draftOf(world, 'getReadiness', { door: world.pick('api', 'operator') }),
};
