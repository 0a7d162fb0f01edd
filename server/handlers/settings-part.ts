import type { NewSettings, Settings } from '#generated/types.ts';
import type { SettingsChange } from '#server/domain/account/settings-change.ts';
import type { Readers } from '#server/domain/ports/metadata.ts';
import type { Prefix } from '#server/domain/prefixes.ts';

/** What a feature has in the settings of an account: a list, or a number. */
export interface SettingsPart<Field extends keyof Settings = keyof Settings> {
  /** Its name, in requests and responses. */
  readonly field: Field;
  /** Parses a new value. It needs no stored data. @throws the feature's refusals */
  parse(sent: NonNullable<NewSettings[Field]>): SettingsChange;
  /**
   * Returns the value as responses have it.
   *
   * @param tables of a transaction, or outside of one
   * @param prefixes those of a restricted key. It sees what can apply to its files
   */
  read(tables: Readers, accountId: string, prefixes: readonly Prefix[] | null): Promise<Settings[Field]>;
}
