import type { Move } from './move.ts';
import { keyOf, type MovedRow, type MovedTable, type RowChanges } from './rows.ts';
import type { Suspects } from './verify.ts';

/** Columns of the tables of running processes, as far as both engines have them. */
const reservations: MovedTable = {
  name: 'reservations',
  columns: ['reservation_id', 'account_id', 'size_bytes', 'flowing_bytes'],
  key: ['reservation_id'],
};
const reservedUses: MovedTable = {
  name: 'reserved_token_uses',
  columns: ['token_id', 'owner', 'uses'],
  key: ['token_id', 'owner'],
};

/**
 * Gives back, in the target, what uploads under way have reserved: those uploads end with the switch. Writes are
 * refused, so what is read stays so. May be called again.
 *
 * @param suspects gets the rows that it changes. They differ from the source's if the switch fails
 */
export async function settle(move: Move, suspects: Suspects): Promise<void> {
  const { source, target, tables } = move;
  if (!target) return;
  const names = (await source.shapes()).map(({ name }) => name);
  const give = async (from: MovedTable, owner: string, to: string, amounts: Readonly<Record<string, string>>) => {
    const table = tables.find(({ name }) => name === to);
    if (!table || !names.includes(from.name)) return;
    const reserved = await source.read(from, null, Number.MAX_SAFE_INTEGER);
    if (reserved.length === 0) return;
    const changes = await givenBack(move, { from, owner, reserved, table, amounts });
    suspects.add(
      table,
      changes.put.map((row) => keyOf(table, row)),
    );
    await target.write([changes]);
  };
  await give(reservations, 'account_id', 'accounts', { reserved_bytes: 'size_bytes', flowing_bytes: 'flowing_bytes' });
  await give(reservedUses, 'token_id', 'upload_tokens', { uses_left: 'uses' });
}

interface Reserved {
  readonly from: MovedTable;
  /** The column that names the row of `table`. */
  readonly owner: string;
  readonly reserved: readonly MovedRow[];
  readonly table: MovedTable;
  /** The column of `table` that changes, and the column of `from` with the amount. */
  readonly amounts: Readonly<Record<string, string>>;
}

/** Computes each row from the source's, so that a second call gives the same. */
async function givenBack({ source }: Move, { from, owner, reserved, table, amounts }: Reserved): Promise<RowChanges> {
  const value = (row: MovedRow, column: string) => row[from.columns.indexOf(column)]!;
  const owners = [...new Set(reserved.map((row) => value(row, owner)))];
  const rows = await source.find(
    table,
    owners.map((id) => [id]),
  );
  const put = rows.map((row) => {
    const id = row[table.columns.indexOf(table.key[0]!)];
    const own = reserved.filter((one) => value(one, owner) === id);
    return row.map((old, at) => {
      const amount = amounts[table.columns[at]!];
      if (amount === undefined) return old;
      const sum = own.reduce((total, one) => total + Number(value(one, amount)), 0);
      // Reservations lower what is free, reserved uses lower what is left.
      return table.columns[at] === 'uses_left' ? Number(old) + sum : Number(old) - sum;
    });
  });
  return { table, put, remove: [] };
}
