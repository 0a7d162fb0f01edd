import type { MovedRow, NotedChange } from './rows.ts';

/** Later than every instant: writes are refused for good. */
export const forever = Number.MAX_SAFE_INTEGER;

export const putRecord =
  'INSERT INTO store_move (one, record) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET record = excluded.record';

export const takeWrites = 'UPDATE store_move SET refused_until = 0';

/** Selects the oldest changes, for {@link changeOf}. */
export const selectChanges = 'SELECT id, changed_table, key FROM store_move_changes ORDER BY id LIMIT ?';

export function changeOf([id, table, key]: MovedRow): NotedChange {
  return { id: id as number, table: table as string, key: keyOfText(key as string) };
}

/** JSON has no bytes, so they are an object with their hex digits. */
function keyOfText(text: string): MovedRow {
  const values = JSON.parse(text) as Array<number | string | null | { readonly hex: string }>;
  return values.map((value) =>
    typeof value === 'object' && value !== null ? new Uint8Array(Buffer.from(value.hex, 'hex')) : value,
  );
}
