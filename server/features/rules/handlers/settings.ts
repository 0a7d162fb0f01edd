import type { NewRule as NewWireRule, Rule as WireRule } from '#generated/types.ts';
import { formatDuration } from '#server/domain/duration.ts';
import type { SettingsPart } from '#server/handlers/settings-part.ts';
import { timestamp } from '#server/handlers/wire.ts';
import { listRules } from '../list-rules.ts';
import { parseRules, type GivenRule } from '../parse-rules.ts';
import { rulesChange } from '../replace-rules.ts';
import { activeFrom, type Rule } from '../rule.ts';

/** The rules in the settings of an account. */
export const rulesSettings: SettingsPart<'rules'> = {
  field: 'rules',
  parse: (sent) => rulesChange(parseRules(sent.map(givenRule))),
  async read(tables, accountId, prefixes) {
    const rules = await listRules({ metadata: { read: tables } }, accountId, prefixes);
    return rules.map(wireRule);
  },
};

function givenRule(rule: NewWireRule): GivenRule {
  return {
    prefix: rule.prefix,
    isPrivate: rule.private,
    expire: rule.expire,
    maxSizeBytes: rule.max_size,
    extensions: rule.extensions,
    cacheControl: rule.cache_control,
    deleteAfterDays: rule.delete_after_days,
    keepDeletedDays: rule.keep_deleted_days,
    keepVersions: rule.keep_versions,
  };
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
    ...(rule.keepDeletedDays !== null && { keep_deleted_days: rule.keepDeletedDays }),
    ...(rule.keepVersions !== null && { keep_versions: rule.keepVersions }),
    created_at: timestamp(rule.createdAt),
    ...(from !== undefined && { active_from: timestamp(from) }),
  };
}
