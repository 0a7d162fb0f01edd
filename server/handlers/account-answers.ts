import type {
  Activity,
  ApiKeyWithSecret,
  GetStatsResponses,
  Settings,
  ApiKey as WireApiKey,
  Rule as WireRule,
} from '#generated/types.ts';
import type { ApiKey } from '#server/domain/access/api-key.ts';
import type { CreatedKey } from '#server/domain/access/create-key.ts';
import type { accountStats } from '#server/domain/account/account-stats.ts';
import type { ActivityEntry } from '#server/domain/activity/activity.ts';
import { formatDuration } from '#server/domain/duration.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import { activeFrom, type Rule } from '#server/domain/rules/rule.ts';
import { timestamp, timestampOrNull } from './wire.ts';

/** A key, without its credential. */
export function keyOf(key: ApiKey): WireApiKey {
  return {
    id: key.id,
    name: key.name,
    scopes: [...key.scopes] as WireApiKey['scopes'],
    ...(key.resources && { resources: [...key.resources] }),
    ...(key.prefixes && { prefixes: [...key.prefixes] }),
    created_at: timestamp(key.createdAt),
    last_used_at: timestampOrNull(key.lastUsedAt),
    expires_at: timestampOrNull(key.expiresAt),
    last4: key.last4,
  };
}

/** A new key, with its credential. */
export function keyWithSecretOf({ key, credential }: CreatedKey): ApiKeyWithSecret {
  return { ...keyOf(key), key: credential };
}

/** The rules of an account. */
export function settingsOf(rules: readonly Rule[]): Settings {
  return { rules: rules.map(wireRule) };
}

function wireRule(rule: Rule): WireRule {
  const from = activeFrom(rule);
  return {
    prefix: rule.prefix,
    ...(rule.isPrivate !== null && { private: rule.isPrivate }),
    ...(rule.expire && { expire: formatDuration(rule.expire) }),
    ...(rule.maxSizeBytes !== null && { max_size: rule.maxSizeBytes }),
    ...(rule.extensions && { extensions: [...rule.extensions] }),
    ...(rule.cacheControl !== null && { cache_control: rule.cacheControl }),
    ...(rule.deleteAfterDays !== null && { delete_after_days: rule.deleteAfterDays }),
    created_at: timestamp(rule.createdAt),
    ...(from !== undefined && { active_from: timestamp(from) }),
  };
}

/** The usage of an account, and its cost. */
export function statsOf(stats: Awaited<ReturnType<typeof accountStats>>): GetStatsResponses[200]['response'] {
  const storagePrice = stats.storageCents / 100;
  return {
    usage: { objects: stats.usedObjects, storage: stats.usedBytes },
    plan: { included: stats.includedBytes },
    billing: { extraStorage: stats.extraBytes, storagePrice, objectsPrice: 0, totalEstimate: storagePrice },
    month: { days: stats.month.days, average_storage: stats.month.averageBytes },
  };
}

/** An entry of the account's activity. */
export function activityOf({ sequence, type, at, object, details, actor }: ActivityEntry): Activity {
  return {
    id: `act_${sequence}`,
    type,
    at: timestamp(at),
    ...(object && { object: formatObjectId(object) }),
    details: { ...details },
    source_ip: actor.sourceIp,
    user_agent: actor.userAgent,
    auth: actor.auth,
  };
}
