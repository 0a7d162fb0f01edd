import type { SqlValue } from './session.ts';

/** A statement in PostgreSQL's own form, with parameters `$1`, `$2` …. */
interface Translated {
  readonly text: string;
  /** The names of the parameters, in their order; undefined if they have none. */
  readonly names: readonly string[] | undefined;
}

/** SQL is constant text, so this does not grow. */
const known = new Map<string, Translated>();

/** Texts in quotes and casts are skipped. Then come `?`, `?1` and `:name`. */
const tokens = /'(?:[^']|'')*'|::|\?(?<number>[0-9]*)|:(?<name>[A-Za-z_][A-Za-z0-9_]*)/g;

/** Translates the placeholders `?`, `?1` and `:name` of a statement, and brings its values into their order. */
export function native(
  sql: string,
  values: readonly SqlValue[] | readonly [Readonly<Record<string, SqlValue>>],
): { readonly text: string; readonly values: readonly SqlValue[] } {
  let translated = known.get(sql);
  if (!translated) known.set(sql, (translated = translate(sql)));
  const { text, names } = translated;
  if (!names) return { text, values: values as readonly SqlValue[] };
  const [named] = values as readonly [Readonly<Record<string, SqlValue>>];
  return { text, values: names.map((name) => named[name]!) };
}

function translate(sql: string): Translated {
  const names: string[] = [];
  let count = 0;
  const text = sql.replace(tokens, (token, ...rest) => {
    const { number, name } = rest.at(-1) as { readonly number?: string; readonly name?: string };
    if (name !== undefined) {
      if (!names.includes(name)) names.push(name);
      return `$${names.indexOf(name) + 1}`;
    }
    if (number === undefined) return token;
    return number === '' ? `$${(count += 1)}` : `$${number}`;
  });
  return { text, names: names.length > 0 ? names : undefined };
}
