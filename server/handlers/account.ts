import { parsing, type AccountHandlers } from '#generated/router.ts';
import type { CreateKeyData, ReplaceSettingsData } from '#generated/types.ts';
import { createKey } from '#server/domain/access/create-key.ts';
import { listLiveKeys } from '#server/domain/access/list-keys.ts';
import type { KeyAsker } from '#server/domain/access/live-key.ts';
import { regenerateKey } from '#server/domain/access/regenerate-key.ts';
import { revokeLiveKey } from '#server/domain/access/revoke-key.ts';
import { accountStats, type StatsCache } from '#server/domain/account/account-stats.ts';
import { isLabel } from '#server/domain/account/label.ts';
import { listActivity } from '#server/domain/activity/list-activity.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { listRules } from '#server/domain/rules/list-rules.ts';
import { parseRules } from '#server/domain/rules/parse-rules.ts';
import { replaceRules } from '#server/domain/rules/replace-rules.ts';
import { activityOf, keyOf, keyWithSecretOf, settingsOf, statsOf } from './account-answers.ts';
import { actorOf } from './actor.ts';
import type { Call } from './call.ts';
import { cursorOf, done, success, withoutTrailingSlash } from './wire.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly cache: StatsCache;
}

/** Wire ⇄ domain for an account: its keys, its rules per prefix, what it uses and what happened in it. */
export function accountHandlers(deps: Deps): AccountHandlers<Call> {
  return {
    async listKeys(_input, { caller }) {
      const keys = await listLiveKeys(deps, caller.account.id);
      return success({ keys: keys.map(keyOf) });
    },

    createKey: parsing(
      ({ body }) => newKeyOf(body),
      async (key, call) => {
        const created = await createKey(deps, { ...key, accountId: call.caller.account.id, asker: askerOf(call) });
        return success(keyWithSecretOf(created));
      },
    ),

    async revokeKey({ path }, call) {
      await revokeLiveKey(deps, { accountId: call.caller.account.id, keyId: path.id, asker: askerOf(call) });
      return done;
    },

    async regenerateKey({ path }, call) {
      const command = { accountId: call.caller.account.id, keyId: path.id, asker: askerOf(call) };
      return success(keyWithSecretOf(await regenerateKey(deps, command)));
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
      async (page, { caller }) => {
        const command = { ...page, accountId: caller.account.id, prefixes: caller.key.prefixes };
        const { entries, next } = await listActivity(deps, command);
        return success({ activity: entries.map(activityOf), ...(next !== undefined && { continuationToken: next }) });
      },
    ),
  };
}

function askerOf(call: Call): KeyAsker {
  return { keyId: call.caller.key.id, actor: actorOf(call) };
}

/** @throws INVALID_KEY_NAME for what a pattern cannot say: half characters, changes of direction, other line ends */
function newKeyOf({ name, scopes, resources, prefixes }: CreateKeyData['body']) {
  if (!isLabel(name)) throw new Refusal('INVALID_KEY_NAME');
  return {
    name,
    scopes: distinct(scopes),
    ...(resources && { resources: distinct(resources) }),
    ...(prefixes && { prefixes: distinct(prefixes.map((prefix) => withoutTrailingSlash(prefix)!)) }),
  };
}

/** What is named twice is meant once. */
function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
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
