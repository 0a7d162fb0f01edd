import { parsing, type AccountHandlers } from '#generated/router.ts';
import type { CreateKeyData, ReplaceSettingsData } from '#generated/types.ts';
import { createKey } from '#server/domain/access/create-key.ts';
import { regenerateKey } from '#server/domain/access/regenerate-key.ts';
import { revokeLiveKey } from '#server/domain/access/revoke-key.ts';
import { accountStats, type StatsCache } from '#server/domain/account/account-stats.ts';
import { isLabel } from '#server/domain/account/label.ts';
import { listActivity } from '#server/domain/activity/list-activity.ts';
import { readPrefix } from '#server/domain/file-options.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { listRules } from '#server/domain/rules/list-rules.ts';
import { parseRules } from '#server/domain/rules/parse-rules.ts';
import { replaceRules } from '#server/domain/rules/replace-rules.ts';
import { activityOf, keyOf, keyWithSecretOf, settingsOf, statsOf } from './account-answers.ts';
import { actorOf, type Call } from './call.ts';
import type { CorePorts } from './ports.ts';
import { continuation, cursorOf, distinct, done, success } from './wire.ts';

interface Deps extends CorePorts {
  readonly cache: StatsCache;
}

/** An account: its keys, its rules per prefix, its usage and its activity. */
export function accountHandlers(deps: Deps): AccountHandlers<Call> {
  return {
    async listKeys(_input, { caller }) {
      const keys = await deps.metadata.read.apiKeys.liveOf(caller.account.id, deps.clock.now());
      return success({ keys: keys.map(keyOf) });
    },

    createKey: parsing(
      ({ body }) => newKeyOf(body),
      async (key, call) => success(keyWithSecretOf(await createKey(deps, { ...key, ...askedBy(call) }))),
    ),

    async revokeKey({ path }, call) {
      await revokeLiveKey(deps, { keyId: path.id, ...askedBy(call) });
      return done;
    },

    async regenerateKey({ path }, call) {
      return success(keyWithSecretOf(await regenerateKey(deps, { keyId: path.id, ...askedBy(call) })));
    },

    async getSettings(_input, { caller }) {
      return success(settingsOf(await listRules(deps, caller.account.id, caller.key.prefixes)));
    },

    replaceSettings: parsing(
      ({ body }) => rulesOf(body),
      async (rules, call) => {
        const command = { account: call.caller.account, rules, actor: actorOf(call) };
        return success(settingsOf(await replaceRules(deps, command)));
      },
    ),

    async getStats(_input, { caller }) {
      return success(statsOf(await accountStats(deps, caller.account)));
    },

    listActivity: parsing(
      ({ query }) => ({ limit: query.limit ?? 100, cursor: cursorOf(query) }),
      async (page, { caller: { account, key } }) => {
        const command = { ...page, accountId: account.id, prefixes: key.prefixes };
        const { entries, next } = await listActivity(deps, command);
        return success({ activity: entries.map(activityOf), ...continuation(next) });
      },
    ),
  };
}

/** The account whose keys change, and the key that asks for it. */
function askedBy(call: Call) {
  const { account, key } = call.caller;
  return { accountId: account.id, asker: { keyId: key.id, actor: actorOf(call) } };
}

/**
 * @throws INVALID_KEY_NAME for what a pattern cannot exclude: half characters, changes of direction, line separators
 */
function newKeyOf({ name, scopes, resources, prefixes }: CreateKeyData['body']) {
  if (!isLabel(name)) throw new Refusal('INVALID_KEY_NAME');
  return {
    name,
    scopes: distinct(scopes),
    ...(resources && { resources: distinct(resources) }),
    ...(prefixes && { prefixes: distinct(prefixes.map((prefix) => readPrefix(prefix)!)) }),
  };
}

/** @throws what parseRules() does */
function rulesOf({ rules }: ReplaceSettingsData['body']) {
  return parseRules(
    rules.map((rule) => ({
      prefix: rule.prefix,
      isPrivate: rule.private,
      expire: rule.expire,
      maxSizeBytes: rule.max_size,
      extensions: rule.extensions,
      cacheControl: rule.cache_control,
      deleteAfterDays: rule.delete_after_days,
    })),
  );
}
