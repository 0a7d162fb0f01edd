import type { Json } from '../../codegen/document.ts';

/** Formats `60` as `a minute`, `30` as `30 seconds`. */
export function duration(seconds: number): string {
  const units = [
    [86_400, 'a day'],
    [3600, 'an hour'],
    [60, 'a minute'],
  ] as const;
  const [size, one] = units.find(([each]) => seconds % each === 0) ?? [1, 'a second'];
  return seconds === size ? one : `${seconds / size} ${one.split(' ')[1]}s`;
}

export const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function counted({ limit, counts = 'requests' }: Json): string {
  return `${limit} ${limit === 1 ? counts.replace(/s$/, '') : counts}`;
}

const countedOn = { 'cache-miss': 'on a cache miss', operation: 'of those that it stores' };

/** Describes one entry of `x-rate-limits`. */
export function rateLimit(one: Json): string {
  return (
    `${counted(one)} in ${duration(one.windowSeconds)} for each ${one.per}` +
    (one.each ? ` and ${one.each}` : '') +
    (one.on ? ` (${countedOn[one.on as keyof typeof countedOn]})` : '') +
    (one.blockSeconds ? `, then blocked for ${duration(one.blockSeconds)}` : '') +
    (one.exempt ? `, except on the plans ${one.exempt.map(capitalized).join(' and ')}` : '')
  );
}

/** Describes `x-concurrency`. */
export function atOnce({ limit, name, code }: Json): string {
  return `${limit} ${name.replaceAll('-', ' ')} of an account, else \`${code}\``;
}

const credentialNames: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  uploadToken: 'upload token',
  operatorKey: 'operator key',
  session: 'sign-in of the approval page',
};

/**
 * Returns the credential, scopes, limits and plan of an operation, as pairs of a name and a text. The contract states
 * them in extensions, which readers would not see.
 */
export function enforced(document: Json, spec: Json): Array<readonly [name: string, text: string]> {
  const scopes: string[] = spec['x-scopes'] ?? [];
  const { 'x-plan': plan, 'x-concurrency': concurrency } = spec;
  const security: Json[] = spec.security ?? document.security;
  const credentials = security.flatMap((one) => Object.keys(one)).map((name) => credentialNames[name] ?? name);
  const rows: Array<readonly [string, string | false | undefined]> = [
    ['Credential', credentials.join(' or ') || 'none'],
    ['Scope', scopes.map((scope) => `\`${scope}\``).join(spec['x-all-scopes'] ? ' and ' : ' or ')],
    ['Limits', (spec['x-rate-limits'] ?? []).map(rateLimit).join('; ')],
    ['At once', concurrency && atOnce(concurrency)],
    [
      'Unknown fields',
      spec['x-unknown-fields'] === 'refused' &&
        'refused, with the nearest known name. Fields that only responses have are ignored',
    ],
    ['Plan', plan && `${capitalized(plan.minimum)} or higher, else \`${plan.code}\``],
  ];
  return rows.filter((row): row is [string, string] => Boolean(row[1]));
}
