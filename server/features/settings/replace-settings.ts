import type { Actor } from '#server/domain/activity/activity.ts';
import { replacePresets, requirePresets } from '#server/features/images/account-presets.ts';
import type { NamedPreset } from '#server/features/images/preset.ts';
import type { Plan } from '#server/domain/plan.ts';
import type { Writes } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { NewRule } from '#server/features/rules/parse-rules.ts';
import { replaceRules, requireRulesOfPlan } from '#server/features/rules/replace-rules.ts';
import type { Rule } from '#server/features/rules/rule.ts';

interface Deps {
  readonly metadata: Writes<'activity' | 'imagePresets' | 'rules'>;
}

interface ReplaceSettings {
  readonly account: { readonly id: string; readonly plan: Plan };
  /** Each prefix occurs once. Undefined leaves the rules as they are. */
  readonly rules: readonly NewRule[] | undefined;
  /** Undefined leaves the presets as they are. */
  readonly presets: readonly NamedPreset[] | undefined;
  readonly actor: Actor;
}

/** The settings of an account. */
export interface AccountSettings {
  /** By prefix. */
  readonly rules: readonly Rule[];
  /** By name. */
  readonly presets: readonly NamedPreset[];
}

/**
 * Replaces the lists of an account that are given, both in one transaction. Returns the settings.
 *
 * @throws NOTHING_TO_UPDATE, INVALID_IMAGE_PRESETS, TOO_MANY_RULES, UPGRADE_REQUIRED (with the prefix of the rule)
 */
export async function replaceSettings(
  { metadata }: Deps,
  { account, rules, presets, actor }: ReplaceSettings,
): Promise<AccountSettings> {
  if (!rules && !presets) throw new Refusal('NOTHING_TO_UPDATE', { message: 'Send rules, image_presets or both.' });
  if (rules) requireRulesOfPlan(account.plan, rules);
  if (presets) requirePresets(presets);
  return metadata.atomically(
    async (tx) => {
      if (rules) await replaceRules(tx, account.id, rules, actor);
      if (presets) await replacePresets(tx, account.id, presets, actor);
      return { rules: await tx.rules.listOf(account.id), presets: await tx.imagePresets.listOf(account.id) };
    },
    { account: account.id },
  );
}
