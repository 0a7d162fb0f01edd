/** A feature's tables whose rows are settled when a response arrives: `test/features/<feature>/settled-tables.ts`. */
export interface SettledTables {
  readonly settledTables: readonly string[];
}
