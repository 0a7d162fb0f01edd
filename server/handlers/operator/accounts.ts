import { parsing } from '#server/http/operation.ts';
import type { OperatorHandlers } from '#generated/router.ts';
import { createAccount } from '#server/domain/access/create-account.ts';
import { changeKey } from '#server/domain/access/change-key.ts';
import { createKey } from '#server/domain/access/create-key.ts';
import { revokeKey } from '#server/domain/access/revoke-key.ts';
import { accountStats } from '#server/domain/account/account-stats.ts';
import { changeAccount, requireAccount } from '#server/domain/account/change-account.ts';
import { deleteAccount, restoreAccount, resumeAccount, suspendAccount } from '#server/domain/account/close-account.ts';
import { listAccounts } from '#server/domain/account/list-accounts.ts';
import { aiLimitsOf, newKeyOf } from '../account.ts';
import { operatorOf, type Call } from '../call.ts';
import { labelOf } from '../label.ts';
import { continuation, created, cursorOf, success } from '../wire.ts';
import type { OperatorPorts } from './ports.ts';
import { aiLimitNames, wireNameOf, type AiLimits } from '#server/domain/account/account-ai-limits.ts';
import { accountView, newAccountView } from './views/account.ts';
import { usageView } from './views/usage.ts';
import { keyView, newKeyView, revokedKeyView } from './views/key.ts';

/** Returns the handlers of accounts and their keys, for operators. */
export function operatorAccountHandlers(deps: OperatorPorts) {
  const { metadata } = deps;
  return {
    ...handlersOfAccount(deps),

    createAccount: parsing(
      ({ body: { name, plan } }) => ({ name: labelOf(name), plan }),
      async (wanted, call) => {
        const made = await createAccount(deps, { ...wanted, by: operatorOf(call) });
        return created(newAccountView({ ...made, ...wanted }));
      },
    ),

    listAccounts: parsing(
      ({ query }) => ({ search: query.search, limit: query.limit ?? 100, cursor: cursorOf(query) }),
      async (page) => {
        const { rows: accounts, next } = await listAccounts(deps, page);
        return success({ accounts: accounts.map(accountView), ...continuation(next) });
      },
    ),

    async getAccount({ path }) {
      const account = await requireAccount(metadata.read, path.account_id);
      const { length } = await metadata.read.apiKeys.liveOf(account.id, deps.clock.now());
      return success({ ...accountView(account), live_keys: length });
    },

    async updateAccount({ path, body }, call) {
      const { plan, own_quota_bytes: quotaBytes, own_ai_budget: aiTokensPerDay, own_ai_limits: limits } = body;
      const change = {
        ...(plan !== undefined && { plan }),
        ...(quotaBytes !== undefined && { quotaBytes }),
        ...(aiTokensPerDay !== undefined && { aiTokensPerDay }),
        ...(limits !== undefined && { aiLimits: limits && aiLimitsOfAccount(limits) }),
      };
      return success(accountView(await changeAccount(deps, { ...closing(path, call), ...change })));
    },

    suspendAccount: async ({ path }, call) => success(accountView(await suspendAccount(deps, closing(path, call)))),
    resumeAccount: async ({ path }, call) => success(accountView(await resumeAccount(deps, closing(path, call)))),
    deleteAccount: async ({ path }, call) => success(accountView(await deleteAccount(deps, closing(path, call)))),
    restoreAccount: async ({ path }, call) => success(accountView(await restoreAccount(deps, closing(path, call)))),
  } satisfies Partial<OperatorHandlers<Call>>;
}

function handlersOfAccount(deps: OperatorPorts) {
  const { metadata } = deps;
  const find = (accountId: string) => requireAccount(metadata.read, accountId);
  return {
    async getAccountUsage({ path }) {
      return success(usageView(await accountStats(deps, await find(path.account_id))));
    },

    async listAccountKeys({ path }) {
      const { id } = await find(path.account_id);
      const [keys, now] = [await metadata.read.apiKeys.listOf(id), deps.clock.now()];
      return success({ keys: keys.map((key) => keyView(key, now)) });
    },

    createAccountKey: parsing(
      ({ path, body }) => ({ accountId: path.account_id, ...newKeyOf(body, deps.models) }),
      async (wanted, call) => {
        await find(wanted.accountId);
        return created(newKeyView(await createKey(deps, { ...wanted, by: operatorOf(call) })));
      },
    ),

    async updateAccountKey({ path, body }, call) {
      const key = await changeKey(deps, path.id, aiLimitsOf(body.ai, deps.models), operatorOf(call));
      return success(keyView(key, deps.clock.now()));
    },

    async revokeAccountKey({ path }, call) {
      return success(revokedKeyView((await revokeKey(deps, path.id, operatorOf(call))).key));
    },
  } satisfies Partial<OperatorHandlers<Call>>;
}

function closing({ account_id: accountId }: { readonly account_id: string }, call: Call) {
  return { accountId, by: operatorOf(call) };
}

/** Returns the limits that a body changes. */
function aiLimitsOfAccount(limits: Readonly<Record<string, number | null | undefined>>): Partial<AiLimits> {
  const given = aiLimitNames.map((name) => [name, limits[wireNameOf(name)]] as const);
  return Object.fromEntries(given.filter(([, limit]) => limit !== undefined));
}
