import type { SqlValue } from '#server/stores/tables/rows.ts';
import type { Scope } from './scopes.ts';

/** A statement that nobody waits for. */
export interface Posted {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** The rows that it adds or replaces. Undefined if that is not plain to see. */
  readonly scope: Scope | undefined;
}

/** One statement, which does what several did. */
interface Fused extends Omit<Posted, 'scope'> {
  readonly scopes: ReadonlyArray<Scope | undefined>;
}

/** Texts by those of their parts. SQL is constant text, so this does not grow. */
const known = new Map<string, string>();

/**
 * Fuses statements that follow each other and add a row to a different table each. The database and this process then
 * work for one statement. Foreign keys between the rows are checked at its end.
 */
export function fused(statements: readonly Posted[]): readonly Fused[] {
  const groups: Posted[][] = [];
  for (const one of statements) {
    const last = groups.at(-1);
    const isOfNewTable = one.scope && last?.every(({ scope }) => scope && scope.table !== one.scope!.table);
    if (last && isOfNewTable) last.push(one);
    else groups.push([one]);
  }
  return groups.map((group) => ({
    sql: textOf(group),
    values: group.flatMap(({ values }) => values),
    scopes: group.map(({ scope }) => scope),
  }));
}

function textOf(group: readonly Posted[]): string {
  if (group.length === 1) return group[0]!.sql;
  const name = group.map(({ sql }) => sql).join(';');
  let text = known.get(name);
  if (text === undefined) known.set(name, (text = joined(group)));
  return text;
}

/** The parameters of each part are counted on from those before it. */
function joined(group: readonly Posted[]): string {
  let before = 0;
  const parts = group.map(({ sql, values }, at) => {
    const part = sql.replace(/\$([0-9]+)/g, (_, number: string) => `$${before + Number(number)}`);
    before += values.length;
    return `part_${at} AS (${part})`;
  });
  return `WITH ${parts.join(', ')} SELECT 1`;
}
