import { parsing } from '#server/http/operation.ts';
import type { AccountHandlers } from '#generated/router.ts';
import type { ImagePreset, ReplaceSettingsData, Settings, Rule as WireRule } from '#generated/types.ts';
import { formatDuration } from '#server/domain/duration.ts';
import type { NamedPreset } from '#server/features/images/preset.ts';
import { listRules } from '#server/features/rules/list-rules.ts';
import { parseRules } from '#server/features/rules/parse-rules.ts';
import { activeFrom, type Rule } from '#server/features/rules/rule.ts';
import { actorOf, type Call } from '#server/handlers/call.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { success, timestamp } from '#server/handlers/wire.ts';
import { replaceSettings, type AccountSettings } from '../replace-settings.ts';

/** Returns the handlers of the settings of an account: its rules, and its presets of images. */
export function settingsAccountHandlers(deps: CorePorts) {
  return {
    async getSettings(_input, { caller }) {
      const rules = await listRules(deps, caller.account.id, caller.key.prefixes);
      const presets = await deps.metadata.read.imagePresets.listOf(caller.account.id);
      return success(settingsOf({ rules, presets }));
    },

    replaceSettings: parsing(
      ({ body }) => ({ rules: body.rules && rulesOf(body.rules), presets: body.image_presets?.map(presetOf) }),
      async (lists, call) => {
        const command = { account: call.caller.account, ...lists, actor: actorOf(call) };
        return success(settingsOf(await replaceSettings(deps, command)));
      },
    ),
  } satisfies Partial<AccountHandlers<Call>>;
}

/** @throws the errors of parseRules() */
function rulesOf(rules: NonNullable<ReplaceSettingsData['body']['rules']>) {
  return parseRules(
    rules.map((rule) => ({
      prefix: rule.prefix,
      isPrivate: rule.private,
      expire: rule.expire,
      maxSizeBytes: rule.max_size,
      extensions: rule.extensions,
      cacheControl: rule.cache_control,
      deleteAfterDays: rule.delete_after_days,
      keepDeletedDays: rule.keep_deleted_days,
      keepVersions: rule.keep_versions,
    })),
  );
}

function presetOf({ name, w, h, fit = 'contain', q, f = 'auto' }: ImagePreset): NamedPreset {
  return { name, variant: { width: w ?? null, height: h ?? null, fit, quality: q ?? null, format: f } };
}

/** Returns the settings of an account. */
function settingsOf({ rules, presets }: AccountSettings): Settings {
  return { rules: rules.map(wireRule), image_presets: presets.map(wirePreset) };
}

function wirePreset({ name, variant: { width, height, fit, quality, format } }: NamedPreset): ImagePreset {
  return {
    name,
    ...(width !== null && { w: width }),
    ...(height !== null && { h: height }),
    fit,
    ...(quality !== null && { q: quality }),
    f: format,
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
