import type { AccountHandlers } from '#generated/router.ts';
import type { Rule as WireRule, Settings } from '#generated/types.ts';
import { formatDuration } from '#server/domain/duration.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { listRules } from '#server/domain/rules/list-rules.ts';
import { parseRules, type NewRule } from '#server/domain/rules/parse-rules.ts';
import { replaceRules } from '#server/domain/rules/replace-rules.ts';
import { activeFrom, type Rule } from '#server/domain/rules/rule.ts';
import { actorOf } from './actor.ts';
import type { Call } from './call.ts';
import type { FieldChecks } from './field-checks.ts';
import { timestamp } from './wire.ts';

type SettingsBody = Parameters<AccountHandlers<Call>['replaceSettings']>[0]['body'];

/** Fields of rules that are asked before the plan. */
export const settingsFieldChecks: FieldChecks = {
  replaceSettings({ body }: { readonly body: SettingsBody }) {
    rulesOf(body);
  },
};

/** Wire ⇄ domain for the prefix rules. */
export function settingsHandlers(deps: {
  readonly metadata: Metadata;
}): Pick<AccountHandlers<Call>, 'getSettings' | 'replaceSettings'> {
  return {
    async getSettings(_, { caller }) {
      return {
        status: 200,
        body: {
          status: 'success',
          response: settingsOf(await listRules(deps, caller.account.id, caller.key.prefixes)),
        },
      };
    },

    async replaceSettings({ body }, call) {
      const rules = await replaceRules(deps, {
        account: call.caller.account,
        rules: rulesOf(body),
        actor: actorOf(call),
      });
      return { status: 200, body: { status: 'success', response: settingsOf(rules) } };
    },
  };
}

function rulesOf({ rules }: SettingsBody): NewRule[] {
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

function settingsOf(rules: readonly Rule[]): Settings {
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
