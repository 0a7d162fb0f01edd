import { systemActor } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { serverActor, type AuditActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Ids } from '../ports/ids.ts';
import type { Transaction, Writes } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { Prefix } from '../prefixes.ts';
import { Refusal } from '../refusal.ts';
import { newS3Seed } from './s3-key-pair.ts';
import type { ApiKey } from './api-key.ts';
import { newCredential } from './credential.ts';
import { changedAiLimits, type KeyAiLimits } from './key-ai-limits.ts';
import { keyActivity, recordKeyEvent } from './key-activity.ts';
import { keyAudit } from './key-audit.ts';
import { auditedAsker, earlierEnd, requireOneMoreKey, requireLiveKey, type KeyAsker } from './live-key.ts';
import { everyScope, type Scope } from './scope.ts';

interface Deps {
  readonly secrets: Pick<Secrets, 'credentialHash' | 'keyNumber'>;
  readonly ids: Ids;
}

export interface CreateKey {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly resources?: readonly string[];
  readonly prefixes?: readonly Prefix[];
  /** Its limits in the AI gateway. */
  readonly ai?: Partial<KeyAiLimits> | null;
  /** Left out for a key that does not expire. */
  readonly lifetimeMs?: number;
  /** Left out when the operator creates the key. */
  readonly asker?: KeyAsker;
  /** The operator, for the audit log. Without both, the server itself creates the key. */
  readonly by?: AuditActor;
}

export interface CreatedKey {
  readonly key: ApiKey;
  /** The secret. It is not stored, so it can be shown only now. */
  readonly credential: string;
}

/**
 * Creates an API key for an existing account. It ends at the latest with the key that asks for it.
 *
 * @throws CONFLICTING_RESOURCES when resources or prefixes are combined with scopes that do not allow them
 * @throws APIKEY_LIMIT_REACHED when the account has ten live keys
 * @throws ACCESS_DENIED when the asker's key has ended meanwhile
 */
export async function createKey(
  deps: Deps & { readonly metadata: Writes<'activity' | 'apiKeys' | 'audit' | 'events'> },
  command: CreateKey,
): Promise<CreatedKey> {
  return deps.metadata.atomically((tx) => addKey(tx, deps, command), { account: command.accountId });
}

/** Creates an API key as {@link createKey} does, in a larger transaction. */
export async function addKey(
  tx: Transaction<'activity' | 'apiKeys' | 'audit' | 'events'>,
  { secrets, ids }: Deps,
  command: CreateKey,
): Promise<CreatedKey> {
  requireFittingRestrictions(command);
  const lastsUntil = await requireLiveKey(tx, command.asker);
  await requireOneMoreKey(tx, command.accountId);
  const credential = newCredential('apiKey', ids);
  const key: ApiKey = {
    id: ids.opaqueId(),
    accountId: command.accountId,
    name: command.name,
    scopes: command.scopes,
    resources: command.resources ?? null,
    prefixes: command.prefixes ?? null,
    ai: changedAiLimits(null, command.ai ?? null),
    createdAt: tx.now,
    lastUsedAt: null,
    expiresAt: earlierEnd(command.lifetimeMs === undefined ? null : tx.now + command.lifetimeMs, lastsUntil),
    revokedAt: null,
    last4: credential.slice(-4),
    ...newS3Seed(secrets, ids),
  };
  await tx.apiKeys.add(key, secrets.credentialHash(credential), secrets.keyNumber);
  await recordActivity(tx, keyActivity('key.created', key, command.asker?.actor ?? systemActor));
  await recordKeyEvent(tx, 'key.created', key, { actor: command.asker?.actor ?? systemActor });
  await recordAudit(
    tx,
    keyAudit('key.created', key, command.asker ? auditedAsker(command.asker) : (command.by ?? serverActor)),
  );
  return { key, credential };
}

/**
 * Rejects restrictions that the scopes do not allow. Resources do not apply to files, and a key with full access cannot
 * be restricted. It looks nothing up, so requests are refused by it before they wait for anything.
 *
 * @throws CONFLICTING_RESOURCES
 */
export function requireFittingRestrictions({
  scopes,
  resources,
  prefixes,
}: Pick<CreateKey, 'scopes' | 'resources' | 'prefixes'>): void {
  const isFull = scopes.includes(everyScope);
  const reachesFiles = scopes.some((scope) => scope.startsWith('blob:'));
  if ((resources && (isFull || reachesFiles)) || (prefixes && isFull)) throw new Refusal('CONFLICTING_RESOURCES');
}
