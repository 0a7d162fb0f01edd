import { spaces, type ObjectAddress, type Space } from '#server/domain/object-id.ts';
import { column, type Fields, mapped, record } from './columns.ts';

/** A space, stored as its index in `spaces`. */
export const spaceColumn = mapped<Space, number>(
  column('space'),
  (stored) => spaces[stored]!,
  (space) => spaces.indexOf(space),
);

/** The address of a file. */
export const addressFields: Fields<ObjectAddress> = { accountId: 'account_id', space: spaceColumn, key: 'key' };

export const addressColumns = record<ObjectAddress>(addressFields);
