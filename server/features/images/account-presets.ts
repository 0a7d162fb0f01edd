import type { Actor } from '#server/domain/activity/activity.ts';
import { recordActivity } from '#server/domain/activity/record-activity.ts';
import type { SettingsChange } from '#server/domain/account/settings-change.ts';
import { got } from '#server/domain/error-value.ts';
import type { Reads, Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { NamedPreset, Presets } from './preset.ts';

/**
 * Returns the presets that files of an account have: the operator's, and the account's own. One of the account takes
 * the place of the operator's with the same name.
 */
export async function presetsInForce(
  { read }: Reads<'imagePresets'>,
  ofOperator: Presets,
  accountId: string,
): Promise<Presets> {
  const own = await read.imagePresets.listOf(accountId);
  return own.length === 0
    ? ofOperator
    : new Map([...ofOperator, ...own.map(({ name, variant }) => [name, variant] as const)]);
}

/**
 * Returns the change that replaces the presets of an account. Its check throws INVALID_IMAGE_PRESETS for what a schema
 * cannot find: a name that is there twice, and a preset without a size.
 */
export function presetsChange(presets: readonly NamedPreset[]): SettingsChange {
  return {
    check: () => requirePresets(presets),
    replace: (tx, accountId, actor) => replacePresets(tx, accountId, presets, actor),
  };
}

function requirePresets(presets: readonly NamedPreset[]): void {
  const names = new Set<string>();
  for (const { name, variant } of presets) {
    if (variant.width === null && variant.height === null)
      throw new Refusal('INVALID_IMAGE_PRESETS', {
        message: `The image preset ${name} has neither w nor h. Set at least one of them.`,
      });
    if (names.has(name))
      throw new Refusal('INVALID_IMAGE_PRESETS', {
        message: 'Two image presets have the same name. Give each a name of its own.',
        detail: got(name),
      });
    names.add(name);
  }
}

/** Variants that only a former preset allowed need a signature from then on. */
async function replacePresets(
  tx: Transaction<'activity' | 'imagePresets'>,
  accountId: string,
  presets: readonly NamedPreset[],
  actor: Actor,
): Promise<void> {
  await tx.imagePresets.replaceAll(accountId, presets);
  const details = { image_presets: presets.map(({ name }) => name) };
  await recordActivity(tx, { accountId, type: 'image_presets.changed', object: null, details, actor });
}
