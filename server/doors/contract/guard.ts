import type { FieldPolicy, OperationPolicy } from '#server/pipeline/operation-policy.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { grantsAll, grantsAny } from '#server/domain/access/scope.ts';
import { coversKey, coversPrefix, type Prefix } from '#server/domain/prefixes.ts';
import { Refusal, type RefusalDetails } from '#server/domain/refusal.ts';
import { got, shownName } from '#server/domain/error-value.ts';
import type { PinnedOptions } from '#server/domain/access/upload-token.ts';
import type { RequestReferences } from '#server/handlers/request-references.ts';
import type { RawQuery } from '#server/http/query.ts';

/** The parts of a request that decide whether a restricted key may make it. Read before anything else. */
export interface Guarded {
  /** The `Origin` header. */
  readonly origin: string | undefined;
  readonly query: RawQuery;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly references: Pick<RequestReferences, 'object' | 'upload'>;
}

/**
 * Checks that the key, or the upload token it minted, may call this operation.
 *
 * @throws UPLOAD_TOKEN_NOT_ALLOWED, ORIGIN_NOT_ALLOWED, MISSING_SCOPE, RESOURCE_NOT_ALLOWED, PREFIX_NOT_ALLOWED,
 *   PREFIX_REQUIRED
 */
export function guard(policy: OperationPolicy, { key, token }: Caller, request: Guarded): void {
  if (token && !policy.uploadToken) throw new Refusal('UPLOAD_TOKEN_NOT_ALLOWED');
  if (token) checkOrigin(token.pins, request.origin);
  const grants = policy.needsAllScopes ? grantsAll : grantsAny;
  if (!grants(key.scopes, policy.scopes))
    throw new Refusal('MISSING_SCOPE', {
      detail: `It needs ${policy.scopes.join(policy.needsAllScopes ? ' and ' : ' or ')}.`,
    });
  const app = request.pathParameters.app_id;
  if (key.resources && app !== undefined && !key.resources.includes(app)) throw new Refusal('RESOURCE_NOT_ALLOWED');
  if (token) return checkPinnedPrefix(policy, token.pins, key.prefixes, request.query);
  if (!key.prefixes) return;
  if (policy.guardedBy === 'account') throw new Refusal('PREFIX_NOT_ALLOWED');
  for (const { guardedBy, values } of guardedFields(policy, request))
    check(guardedBy, key.prefixes, values, request.references);
}

/**
 * Checks that a key restricted to prefixes reaches the upload that the request names. This needs a look-up.
 *
 * An upload token reaches every upload that it opened, under any prefix. A handle that names no upload passes here, and
 * the use case refuses it.
 *
 * @throws PREFIX_NOT_ALLOWED
 */
export async function guardUpload(policy: OperationPolicy, { key, token }: Caller, request: Guarded): Promise<void> {
  if (token || !key.prefixes) return;
  for (const { guardedBy, values } of guardedFields(policy, request)) {
    // A repeated field is refused as such later. Each of its values would cost a look-up that no limit counts.
    if (guardedBy !== 'upload' || values.length !== 1) continue;
    try {
      await request.references.upload(values[0]!).find();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'PREFIX_NOT_ALLOWED') throw error;
    }
  }
}

type GuardedBy = NonNullable<FieldPolicy['guardedBy']>;

/** Returns the values of the fields that the contract marks as guarded, each with the kind of guard. */
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

/**
 * Refuses an upload from another origin than the pinned ones. A browser always sends the origin of an upload. A client
 * that sends none is no browser and could send any origin, so it passes.
 *
 * @throws ORIGIN_NOT_ALLOWED
 */
function checkOrigin({ allowedOrigins }: PinnedOptions, origin: string | undefined): void {
  if (allowedOrigins && origin !== undefined && !allowedOrigins.includes(origin))
    throw new Refusal('ORIGIN_NOT_ALLOWED', { detail: got(origin) });
}

/**
 * Checks the prefix of an upload against the one that its token pins. If the key is restricted, the pinned prefix must
 * lie within the key's prefixes. The prefix of a chunked upload is fixed at its start, so only the start has one to
 * check.
 *
 * @throws PREFIX_NOT_ALLOWED
 */
function checkPinnedPrefix(
  { queryFields }: OperationPolicy,
  { prefix }: PinnedOptions,
  allowed: readonly Prefix[] | null,
  query: RawQuery,
): void {
  for (const [name, field] of Object.entries(queryFields)) {
    if (field.guardedBy !== 'prefix') continue;
    // An empty value counts as no prefix.
    if (prefix !== undefined && query.get(name)?.some((value) => value !== '' && value.replace(/\/$/, '') !== prefix))
      throw new Refusal('PREFIX_NOT_ALLOWED');
    if (allowed && (prefix === undefined || !coversPrefix(allowed, prefix))) throw new Refusal('PREFIX_NOT_ALLOWED');
  }
}

function prefixedKeys(fields: OperationPolicy['queryFields']): OperationPolicy['bodyFields'] {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [`query/${name}`, field]));
}

/**
 * Returns the texts at a path such as `objects/*`. If a list stands at the end of the path, returns the texts in it.
 * Values of other types are skipped here and refused later.
 */
function valuesAt(node: unknown, path: readonly string[]): string[] {
  const [step, ...rest] = path;
  if (step === undefined) return (Array.isArray(node) ? node : [node]).filter((value) => typeof value === 'string');
  if (typeof node !== 'object' || node === null) return [];
  if (step === '*') return Array.isArray(node) ? node.flatMap((entry) => valuesAt(entry, rest)) : [];
  return Object.hasOwn(node, step) ? valuesAt((node as Record<string, unknown>)[step], rest) : [];
}

function check(
  kind: GuardedBy,
  allowed: readonly Prefix[],
  values: readonly string[],
  references: Guarded['references'],
): void {
  switch (kind) {
    case 'upload':
      return; // guardUpload() checks it
    case 'object':
      for (const id of values)
        if (!isReachable(allowed, id, references)) throw new Refusal('PREFIX_NOT_ALLOWED', reach(allowed));
      return;
    case 'list-prefix':
      if (!values[0]) throw new Refusal('PREFIX_REQUIRED', reach(allowed));
      if (!values.every((value) => coversPrefix(allowed, value)))
        throw new Refusal('PREFIX_NOT_ALLOWED', reach(allowed));
      return;
    case 'folder':
      if (!values.every((value) => coversPrefix(allowed, value.replace(/\/$/, ''))))
        throw new Refusal('PREFIX_NOT_ALLOWED', reach(allowed));
      return;
    case 'prefix':
      // A missing prefix means the root, which no restricted key reaches.
      if (values.length === 0 || !values.every((value) => coversPrefix(allowed, value.replace(/\/$/, ''))))
        throw new Refusal('PREFIX_NOT_ALLOWED', reach(allowed));
  }
}

const shownPrefixes = 3;

/** Returns the first prefixes that a restricted key reaches, as the detail of a refusal. */
function reach(allowed: readonly Prefix[]): RefusalDetails {
  const more = allowed.length - shownPrefixes;
  const names = allowed.slice(0, shownPrefixes).map(shownName).join(', ');
  return { detail: `This key reaches ${names}${more > 0 ? ` and ${more} more` : ''}.` };
}

/** Whether the key reaches the object. An id that is not of this account passes here and is refused later. */
function isReachable(allowed: readonly Prefix[], id: string, references: Guarded['references']): boolean {
  try {
    return coversKey(allowed, references.object(id).key);
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}
