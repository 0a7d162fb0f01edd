import type { SettingsPart } from '#server/handlers/settings-part.ts';
import { keptDaysOf, keptDaysChange } from '../kept-days.ts';

/** The days in the trash in the settings of an account. */
export const keptDaysSettings: SettingsPart<'keep_deleted_days'> = {
  field: 'keep_deleted_days',
  parse: keptDaysChange,
  read: (tables, accountId) => keptDaysOf(tables, accountId),
};
