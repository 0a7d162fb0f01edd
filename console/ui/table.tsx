import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the end of their column. */
  readonly isNumber?: boolean;
  /** Hidden in narrow windows. */
  readonly isExtra?: boolean;
}

/** A table that becomes a list of cards in narrow windows. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  actions,
}: {
  readonly label: string;
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The buttons or the menu of a row. */
  readonly actions?: (row: Row) => ComponentChildren;
}) {
  const classOf = ({ isNumber, isExtra }: Column<Row>) => `${isNumber ? 'number' : ''} ${isExtra ? 'extra' : ''}`;
  return (
    <div class="table-frame" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column, place) => (
              <th key={place} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
            {actions && <td />}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, place) => (
                <td key={place} class={classOf(column)} data-title={column.title}>
                  {column.cell(row)}
                </td>
              ))}
              {actions && <td class="row-actions">{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
