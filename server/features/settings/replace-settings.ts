import type { SettingsChange } from '#server/domain/account/settings-change.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import type { Plan } from '#server/domain/plan.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'atomically'>;
}

interface ReplaceSettings<Result> {
  readonly account: { readonly id: string; readonly plan: Plan };
  /** Each list of the settings by its name. Undefined leaves it as it is. */
  readonly changes: Readonly<Record<string, SettingsChange | undefined>>;
  readonly actor: Actor;
  /** Reads what the settings are then. */
  read(tx: Transaction): Promise<Result>;
}

/**
 * Replaces the lists of an account that are given, all in one transaction. Returns what was read at its end.
 *
 * @throws NOTHING_TO_UPDATE
 * @throws the refusals of the lists, before any of them is replaced
 */
export async function replaceSettings<Result>(
  { metadata }: Deps,
  { account, changes, actor, read }: ReplaceSettings<Result>,
): Promise<Result> {
  const given = Object.values(changes).filter((change) => change !== undefined);
  if (given.length === 0)
    throw new Refusal('NOTHING_TO_UPDATE', {
      message: `Send at least one setting: ${Object.keys(changes).join(', ')}.`,
    });
  for (const change of given) change.check(account.plan);
  return metadata.atomically(
    async (tx) => {
      for (const change of given) await change.replace(tx, account.id, actor);
      return read(tx);
    },
    { account: account.id },
  );
}
