import { parsing } from '#server/http/operation.ts';
import type { AccountHandlers } from '#generated/router.ts';
import type {
  Activity,
  ApiKeyWithSecret,
  CreateKeyData,
  KeyAiLimitsChange,
  ListActivityData,
  UsageHistory,
  ApiKey as WireApiKey,
} from '#generated/types.ts';
import type { ApiKey } from '#server/domain/access/api-key.ts';
import { createKey, requireFittingRestrictions, type CreatedKey } from '#server/domain/access/create-key.ts';
import { changeLiveKey } from '#server/domain/access/change-key.ts';
import { wireAiLimits, type KeyAiLimits } from '#server/domain/access/key-ai-limits.ts';
import { regenerateKey } from '#server/domain/access/regenerate-key.ts';
import { revokeLiveKey } from '#server/domain/access/revoke-key.ts';
import { accountStats, type StatsCache } from '#server/domain/account/account-stats.ts';
import { usageHistory, type DayRange, type UsageHistoryDay } from '#server/domain/account/usage-history.ts';
import { isLabel } from '#server/domain/account/label.ts';
import type { ActivityEntry } from '#server/domain/activity/activity.ts';
import { listActivity } from '#server/domain/activity/list-activity.ts';
import type { ActivityFilter } from '#server/domain/activity/table.ts';
import { requireKnownModels, type KnownModels } from '#server/domain/access/known-models.ts';
import { expiresAtMs, parseDuration } from '#server/domain/duration.ts';
import { readPrefix } from '#server/domain/file-options.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { actorOf, type Call } from './call.ts';
import { dateOf, dayRangeOf } from './day-range.ts';
import { usageView } from './operator/views/usage.ts';
import type { CorePorts } from './ports.ts';
import { queryInstant } from './query-instant.ts';
import { continuation, cursorOf, distinct, done, success, timestamp, timestampOrNull } from './wire.ts';

interface Deps extends CorePorts {
  readonly cache: StatsCache;
  readonly models: KnownModels;
}

/** Returns the handlers of an account: its keys, its usage and its activity. */
export function accountHandlers(deps: Deps) {
  return {
    ...keyHandlers(deps),

    async getStats(_input, { caller }) {
      return success(usageView(await accountStats(deps, caller.account)));
    },

    getUsageHistory: parsing(
      ({ query }) => dayRangeOf(query, deps.clock.now(), 'INVALID_TIME_RANGE'),
      async (range, { caller: { account } }) => success(historyOf(range, await usageHistory(deps, account.id, range))),
    ),

    listActivity: parsing(
      ({ query }) => ({ limit: query.limit ?? 100, cursor: cursorOf(query), filter: activityFilterOf(query) }),
      async (page, { caller: { account, key } }) => {
        const command = { ...page, accountId: account.id, prefixes: key.prefixes };
        const { entries, next } = await listActivity(deps, command);
        return success({ activity: entries.map(activityOf), ...continuation(next) });
      },
    ),
  } satisfies Partial<AccountHandlers<Call>>;
}

function keyHandlers(deps: Deps) {
  return {
    async listKeys(_input, { caller }) {
      const keys = await deps.metadata.read.apiKeys.liveOf(caller.account.id, deps.clock.now());
      return success({ keys: keys.map(keyOf) });
    },

    createKey: parsing(
      ({ body }) => newKeyOf(body, deps.models),
      async (key, call) => success(keyWithSecretOf(await createKey(deps, { ...key, ...requesterOf(call) }))),
    ),

    async updateKey({ path, body }, call) {
      const change = { keyId: path.id, ai: aiLimitsOf(body.ai, deps.models), ...requesterOf(call) };
      return success(keyOf(await changeLiveKey(deps, change)));
    },

    async revokeKey({ path }, call) {
      await revokeLiveKey(deps, { keyId: path.id, ...requesterOf(call) });
      return done;
    },

    async regenerateKey({ path }, call) {
      return success(keyWithSecretOf(await regenerateKey(deps, { keyId: path.id, ...requesterOf(call) })));
    },
  } satisfies Partial<AccountHandlers<Call>>;
}

function historyOf({ from, to }: DayRange, days: readonly UsageHistoryDay[]): UsageHistory {
  return {
    from: dateOf(from),
    to: dateOf(to),
    days: days.map(({ day, bytes, objects, requests, egressBytes }) => ({
      day: dateOf(day),
      storage: bytes,
      objects,
      requests,
      egress_bytes: egressBytes,
    })),
  };
}

/** Returns the account whose keys change, and the key that asks for it. */
function requesterOf(call: Call) {
  const { account, key } = call.caller;
  return { accountId: account.id, asker: { keyId: key.id, actor: actorOf(call) } };
}

/**
 * @throws INVALID_KEY_NAME for characters that a pattern cannot exclude: half characters, changes of direction, line
 *   separators
 * @throws INVALID_AI_LIMITS
 * @throws INVALID_EXPIRES_IN
 * @throws CONFLICTING_RESOURCES
 */
export function newKeyOf(
  { name, scopes, resources, prefixes, ai, expires_in: lifetime }: CreateKeyData['body'],
  known: KnownModels,
) {
  if (!isLabel(name)) throw new Refusal('INVALID_KEY_NAME');
  const key = {
    name,
    scopes: distinct(scopes),
    ...(resources && { resources: distinct(resources) }),
    ...(prefixes && { prefixes: distinct(prefixes.map((prefix) => readPrefix(prefix)!)) }),
    ...(ai && { ai: aiLimitsOf(ai, known) }),
    ...(lifetime !== undefined && { lifetimeMs: lifetimeOf(lifetime) }),
  };
  requireFittingRestrictions(key);
  return key;
}

/** @throws INVALID_EXPIRES_IN */
function lifetimeOf(text: string | number): number {
  const duration = parseDuration(String(text));
  if (!duration) throw new Refusal('INVALID_EXPIRES_IN');
  return expiresAtMs(duration, 0);
}

/**
 * Returns limits as they were sent. Those that were left out are left out.
 *
 * @throws INVALID_AI_LIMITS
 */
export function aiLimitsOf(ai: KeyAiLimitsChange, known: KnownModels): Partial<KeyAiLimits> | null {
  if (!ai) return null;
  requireKnownModels(known, ai);
  const { requests_per_minute, requests_per_day, tokens_per_day, spend_per_day, cost_per_day, models } = ai;
  return {
    ...(requests_per_minute !== undefined && { requestsPerMinute: requests_per_minute }),
    ...(requests_per_day !== undefined && { requestsPerDay: requests_per_day }),
    ...(tokens_per_day !== undefined && { tokensPerDay: tokens_per_day }),
    ...(spend_per_day !== undefined && { spendPerDay: spend_per_day }),
    ...(cost_per_day !== undefined && { costPerDay: cost_per_day }),
    ...(models !== undefined && { models: models && distinct(models) }),
  };
}

/** Returns a key, without its credential. */
function keyOf(key: ApiKey): WireApiKey {
  return {
    id: key.id,
    name: key.name,
    scopes: [...key.scopes] as WireApiKey['scopes'],
    ...(key.resources && { resources: [...key.resources] }),
    ...(key.prefixes && { prefixes: [...key.prefixes] }),
    ...(key.ai && { ai: wireAiLimits(key.ai)! }),
    created_at: timestamp(key.createdAt),
    last_used_at: timestampOrNull(key.lastUsedAt),
    expires_at: timestampOrNull(key.expiresAt),
    last4: key.last4,
  };
}

/** Returns a new key, with its credential. */
function keyWithSecretOf({ key, credential }: CreatedKey): ApiKeyWithSecret {
  return { ...keyOf(key), key: credential };
}

/** @throws INVALID_TIME_RANGE for dates that do not exist */
function activityFilterOf({
  type,
  key,
  auth,
  prefix,
  from,
  to,
}: NonNullable<ListActivityData['query']>): ActivityFilter {
  return {
    type,
    keyId: key,
    auth,
    prefix,
    from: queryInstant(from, 'INVALID_TIME_RANGE'),
    to: queryInstant(to, 'INVALID_TIME_RANGE'),
  };
}

/** Returns an entry of the account's activity. */
function activityOf({ sequence, type, at, object, details, actor }: ActivityEntry): Activity {
  return {
    id: `act_${sequence}`,
    type,
    at: timestamp(at),
    ...(object && { object: formatObjectId(object) }),
    details: { ...details },
    source_ip: actor.sourceIp,
    user_agent: actor.userAgent,
    auth: actor.auth,
    key_id: actor.keyId ?? null,
  };
}
