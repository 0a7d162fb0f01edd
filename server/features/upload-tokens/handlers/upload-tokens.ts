import { parsing } from '#server/http/operation.ts';
import type { UploadTokensHandlers } from '#generated/router.ts';
import type { CreateUploadTokenData } from '#generated/types.ts';
import type { PinnedOptions } from '#server/domain/access/upload-token.ts';
import { createUploadToken } from '../create-upload-token.ts';
import { parsePins } from '../parse-pins.ts';
import type { Call } from '#server/handlers/call.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { success, timestamp } from '#server/handlers/wire.ts';

/** Returns the handler of upload tokens. */
export function uploadTokensHandlers(deps: CorePorts): UploadTokensHandlers<Call> {
  return {
    createUploadToken: parsing(
      ({ body }) => ({
        pins: pinsOf(body),
        lifetimeMs: (body.expires_in ?? 900) * 1000,
        maxUses: body.max_uses ?? 1,
      }),
      async (requested, { caller: { account, key } }) => {
        const { token, credential } = await createUploadToken(deps, { ...requested, account, key });
        return success({ token: credential, expires_at: timestamp(token.expiresAt), max_uses: token.maxUses });
      },
    ),
  };
}

/** The fields that the token pins for its uploads. The other fields are its lifetime and its number of uses. */
const pinnedFields = [
  'name',
  'prefix',
  'private',
  'security_hash',
  'expire',
  'max_size',
  'allowed_extensions',
  'allowed_origins',
  'metadata',
  'callback_metadata',
] as const;

function pinsOf(body: NonNullable<CreateUploadTokenData['body']>): PinnedOptions {
  // Their size is that of the JSON as it was sent, without unknown fields.
  const pinned = Object.fromEntries(pinnedFields.map((field) => [field, body[field]]));
  return parsePins(
    {
      name: body.name,
      prefix: body.prefix,
      isPrivate: body.private,
      securityHash: body.security_hash,
      expire: body.expire,
      maxSizeBytes: body.max_size,
      allowedExtensions: body.allowed_extensions,
      allowedOrigins: body.allowed_origins,
      metadata: body.metadata,
      callbackMetadata: body.callback_metadata,
    },
    Buffer.byteLength(JSON.stringify(pinned)),
  );
}
