import type { TryCall } from '../../build/try-calls.ts';

/** Returns the text of an example body, as the reader may edit it. */
export function printed({ type, value }: NonNullable<TryCall['body']>): string {
  return type === 'application/x-www-form-urlencoded'
    ? new URLSearchParams(value as Record<string, string>).toString()
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 2);
}

type Values = Readonly<Record<string, string>>;

/** Returns the path and query with the reader's values. */
export function targetOf(one: TryCall, values: Values): string {
  let path = one.path;
  const query: string[] = [];
  for (const { name, place } of one.parameters) {
    // Half of a surrogate pair cannot be encoded.
    const value = (values[name] ?? '').toWellFormed();
    if (place === 'path') path = path.replace(`{${name}}`, value.split('/').map(encodeURIComponent).join('/'));
    else if (place === 'query' && value !== '')
      query.push(`${name}=${encodeURIComponent(value).replaceAll('%2F', '/')}`);
  }
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

/** Returns the headers that are parameters. */
export function headersOf(one: TryCall, values: Values): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, place } of one.parameters) if (place === 'header' && values[name]) headers[name] = values[name];
  return headers;
}

/** Returns the edited body in the form of the contract's examples. */
export function bodyOf(one: TryCall, text: string): TryCall['body'] {
  if (!one.body || one.body.value === 'file') return one.body;
  if (text === '') return undefined;
  if (one.body.type === 'application/x-www-form-urlencoded')
    return { type: one.body.type, value: Object.fromEntries(new URLSearchParams(text)) };
  try {
    return { type: one.body.type, value: JSON.parse(text) as unknown };
  } catch {
    return { type: one.body.type, value: text };
  }
}
