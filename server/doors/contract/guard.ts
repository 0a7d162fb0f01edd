import type { FieldPolicy, OperationPolicy } from '#generated/policies.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { grantsAny } from '#server/domain/access/scope.ts';
import { coversKey, coversPrefix, type Prefix } from '#server/domain/prefixes.ts';
import { Refusal, type RefusalDetails } from '#server/domain/refusal.ts';
import { got, shownName } from '#server/domain/shown-value.ts';
import type { UploadPins } from '#server/domain/access/upload-token.ts';
import type { Named } from '#server/handlers/named.ts';
import type { RawQuery } from '#server/http/query.ts';

/** What of a request a restricted key is checked against, before anything else of it is. */
export interface Guarded {
  /** The `Origin` header. */
  readonly origin: string | undefined;
  readonly query: RawQuery;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly named: Pick<Named, 'object' | 'upload'>;
}

/**
 * Whether the key, or the upload token that it minted, may do this at all.
 *
 * @throws UPLOAD_TOKEN_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, MISSING_SCOPE, RESOURCE_NOT_ALLOWED, PREFIX_NOT_ALLOWED,
 *   PREFIX_REQUIRED
 */
export function guard(policy: OperationPolicy, { key, token }: Caller, request: Guarded): void {
  if (token && !policy.uploadToken) throw new Refusal('UPLOAD_TOKEN_NOT_ALLOWED');
  if (token) checkOrigin(token.pins, request.origin);
  if (!grantsAny(key.scopes, policy.scopes))
    throw new Refusal('MISSING_SCOPE', { detail: `It needs ${policy.scopes.join(' or ')}.` });
  const app = request.pathParameters.app_id;
  if (key.resources && app !== undefined && !key.resources.includes(app)) throw new Refusal('RESOURCE_NOT_ALLOWED');
  if (token) return checkPinnedPrefix(policy, token.pins, key.prefixes, request.query);
  if (!key.prefixes) return;
  if (policy.guardedBy === 'account') throw new Refusal('PREFIX_NOT_ALLOWED');
  for (const { guardedBy, values } of guardedFields(policy, request))
    check(guardedBy, key.prefixes, values, request.named);
}

/**
 * Checks that a key restricted to prefixes reaches the upload that it names, which needs a look-up. A token
 * reaches every upload that it has opened, under any prefix. The use case refuses a handle that names no upload.
 *
 * @throws PREFIX_NOT_ALLOWED
 */
export async function guardUpload(policy: OperationPolicy, { key, token }: Caller, request: Guarded): Promise<void> {
  if (token || !key.prefixes) return;
  for (const { guardedBy, values } of guardedFields(policy, request)) {
    // Several are refused as that field, and each would cost a look-up that no limit counts.
    if (guardedBy !== 'upload' || values.length !== 1) continue;
    try {
      await request.named.upload(values[0]!).find();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'PREFIX_NOT_ALLOWED') throw error;
    }
  }
}

type GuardedBy = NonNullable<FieldPolicy['guardedBy']>;

/** What the request says in the fields that the contract marks. */
function guardedFields(
  policy: OperationPolicy,
  { query, body }: Guarded,
): Array<{ readonly guardedBy: GuardedBy; readonly values: readonly string[] }> {
  return Object.entries({ ...prefixedKeys(policy.queryFields), ...policy.bodyFields }).flatMap(
    ([at, { guardedBy }]) => {
      if (!guardedBy) return [];
      const values = at.startsWith('query/')
        ? (query.get(at.slice('query/'.length)) ?? [])
        : valuesAt(body, at.split('/').slice(1));
      return [{ guardedBy, values }];
    },
  );
}

/** A browser always says where an upload comes from; what says nothing is none, and could say anything. */
function checkOrigin({ allowedOrigins }: UploadPins, origin: string | undefined): void {
  if (allowedOrigins && origin !== undefined && !allowedOrigins.includes(origin))
    throw new Refusal('ORIGIN_NOT_ALLOWED', { detail: got(origin) });
}

/**
 * Where the key is restricted, its token has been minted for a prefix within; a chunked upload has its own since its
 * start.
 */
function checkPinnedPrefix(
  { queryFields }: OperationPolicy,
  { prefix }: UploadPins,
  allowed: readonly Prefix[] | null,
  query: RawQuery,
): void {
  for (const [name, field] of Object.entries(queryFields)) {
    if (field.guardedBy !== 'prefix') continue;
    // An empty one is none.
    if (prefix !== undefined && query.get(name)?.some((value) => value !== '' && value.replace(/\/$/, '') !== prefix))
      throw new Refusal('PREFIX_NOT_ALLOWED');
    if (allowed && (prefix === undefined || !coversPrefix(allowed, prefix))) throw new Refusal('PREFIX_NOT_ALLOWED');
  }
}

function prefixedKeys(fields: OperationPolicy['queryFields']): OperationPolicy['bodyFields'] {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [`query/${name}`, field]));
}

/**
 * The texts at a path such as `objects/*`, and where a list stands at its end, those in the list; what has another
 * shape is refused later.
 */
function valuesAt(node: unknown, path: readonly string[]): string[] {
  const [step, ...rest] = path;
  if (step === undefined) return (Array.isArray(node) ? node : [node]).filter((value) => typeof value === 'string');
  if (typeof node !== 'object' || node === null) return [];
  if (step === '*') return Array.isArray(node) ? node.flatMap((entry) => valuesAt(entry, rest)) : [];
  return Object.hasOwn(node, step) ? valuesAt((node as Record<string, unknown>)[step], rest) : [];
}

function check(kind: GuardedBy, allowed: readonly Prefix[], values: readonly string[], named: Guarded['named']): void {
  switch (kind) {
    case 'upload':
      return; // by guardUpload()
    case 'object':
      for (const id of values)
        if (!isReachable(allowed, id, named)) throw new Refusal('PREFIX_NOT_ALLOWED', reach(allowed));
      return;
    case 'list-prefix':
      if (!values[0]) throw new Refusal('PREFIX_REQUIRED', reach(allowed));
      if (!values.every((value) => coversPrefix(allowed, value)))
        throw new Refusal('PREFIX_NOT_ALLOWED', reach(allowed));
      return;
    case 'prefix':
      // No prefix is the root, which no restricted key reaches.
      if (values.length === 0 || !values.every((value) => coversPrefix(allowed, value.replace(/\/$/, ''))))
        throw new Refusal('PREFIX_NOT_ALLOWED', reach(allowed));
  }
}

const shownPrefixes = 3;

/** What a restricted key reaches, as far as that is short. */
function reach(allowed: readonly Prefix[]): RefusalDetails {
  const more = allowed.length - shownPrefixes;
  return {
    detail: `This key reaches ${allowed.slice(0, shownPrefixes).map(shownName).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  };
}

/** What is no id of the account is left to be refused as such. */
function isReachable(allowed: readonly Prefix[], id: string, named: Guarded['named']): boolean {
  try {
    return coversKey(allowed, named.object(id).key);
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}
