import type { S3Handlers } from '#generated/router.ts';
import type { ApiKey } from '#server/domain/access/api-key.ts';
import { keyPairOf, type S3Secrets } from '#server/domain/access/s3-key-pair.ts';
import { grantsAny, type Scope } from '#server/domain/access/scope.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import { success, timestampOrNull } from '#server/handlers/wire.ts';

interface Deps {
  readonly secrets: S3Secrets;
  /** Address of the S3 gateway, without a trailing slash. */
  readonly s3Host: string;
}

/** Returns the handler for the key pair of the S3 gateway. */
export function s3CredentialsHandlers({ secrets, s3Host }: Deps): S3Handlers<Call> {
  return {
    async getS3Credentials(_input, { caller: { key, isSession } }) {
      if (isSession) throw new Refusal('API_KEY_REQUIRED');
      const { accessKeyId, secretAccessKey } = keyPairOf(secrets, key);
      return success({
        access_key_id: accessKeyId,
        secret_access_key: secretAccessKey,
        endpoint: s3Host,
        region: 'auto' as const,
        buckets: ['public', 'private', 'legacy'] as Array<'public' | 'private' | 'legacy'>,
        access: { read: accessOf(key, 'blob:read'), write: accessOf(key, 'blob:write') },
        expires_at: timestampOrNull(key.expiresAt),
      });
    },
  };
}

/** Returns true for access everywhere, false for none, or the only prefixes with access. */
function accessOf({ scopes, prefixes }: ApiKey, scope: Scope): boolean | string[] {
  if (!grantsAny(scopes, [scope])) return false;
  return prefixes ? prefixes.map((prefix) => `${prefix}/`) : true;
}
