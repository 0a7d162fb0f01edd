import type { AccountHandlers } from '#generated/router.ts';
import type { ApiKey as WireApiKey, ApiKeyWithSecret } from '#generated/types.ts';
import type { ApiKey } from '#server/domain/access/api-key.ts';
import { createKey, type CreatedKey } from '#server/domain/access/create-key.ts';
import { listLiveKeys } from '#server/domain/access/list-keys.ts';
import type { KeyAsker } from '#server/domain/access/live-key.ts';
import { regenerateKey } from '#server/domain/access/regenerate-key.ts';
import { revokeLiveKey } from '#server/domain/access/revoke-key.ts';
import { isLabel } from '#server/domain/account/label.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { actorOf } from './actor.ts';
import type { Call } from './call.ts';
import type { FieldChecks } from './field-checks.ts';
import { timestamp, withoutTrailingSlash } from './wire.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly clock: Clock;
}

type Implemented = 'listKeys' | 'createKey' | 'revokeKey' | 'regenerateKey';

type CreateBody = Parameters<AccountHandlers<Call>['createKey']>[0]['body'];

/** What a pattern cannot say of a name: half characters, changes of direction, other line ends. */
export const keysFieldChecks: FieldChecks = {
  createKey({ body }: { readonly body: CreateBody }) {
    if (!isLabel(body.name)) throw new Refusal('INVALID_KEY_NAME');
  },
};

/** Wire ⇄ domain for API keys. */
export function keysHandlers(deps: Deps): Pick<AccountHandlers<Call>, Implemented> {
  return {
    async listKeys(_input, { caller }) {
      const keys = await listLiveKeys(deps, caller.account.id);
      return { status: 200, body: { status: 'success', response: { keys: keys.map(keyOf) } } };
    },

    async createKey({ body }, call) {
      const created = await createKey(deps, {
        accountId: call.caller.account.id,
        asker: askerOf(call),
        name: body.name,
        scopes: distinct(body.scopes),
        ...(body.resources && { resources: distinct(body.resources) }),
        ...(body.prefixes && { prefixes: distinct(body.prefixes.map((prefix) => withoutTrailingSlash(prefix)!)) }),
      });
      return { status: 200, body: { status: 'success', response: withSecret(created) } };
    },

    async revokeKey({ path }, call) {
      await revokeLiveKey(deps, { accountId: call.caller.account.id, keyId: path.id, asker: askerOf(call) });
      return { status: 200, body: { status: 'success' } };
    },

    async regenerateKey({ path }, call) {
      const regenerated = await regenerateKey(deps, {
        accountId: call.caller.account.id,
        keyId: path.id,
        asker: askerOf(call),
      });
      return { status: 200, body: { status: 'success', response: withSecret(regenerated) } };
    },
  };
}

function askerOf(call: Call): KeyAsker {
  return { keyId: call.caller.key.id, actor: actorOf(call) };
}

function withSecret({ key, credential }: CreatedKey): ApiKeyWithSecret {
  return { ...keyOf(key), key: credential };
}

function keyOf(key: ApiKey): WireApiKey {
  return {
    id: key.id,
    name: key.name,
    scopes: [...key.scopes] as WireApiKey['scopes'],
    ...(key.resources && { resources: [...key.resources] }),
    ...(key.prefixes && { prefixes: [...key.prefixes] }),
    created_at: timestamp(key.createdAt),
    last_used_at: key.lastUsedAt === null ? null : timestamp(key.lastUsedAt),
    expires_at: key.expiresAt === null ? null : timestamp(key.expiresAt),
    last4: key.last4,
  };
}

/** What is named twice is meant once. */
function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
