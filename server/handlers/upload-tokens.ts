import { parsing, type UploadTokensHandlers } from '#generated/router.ts';
import type { CreateUploadTokenData } from '#generated/types.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { createUploadToken } from '#server/domain/upload-tokens/create-upload-token.ts';
import { parsePins } from '#server/domain/upload-tokens/parse-pins.ts';
import type { UploadPins } from '#server/domain/access/upload-token.ts';
import type { Call } from './call.ts';
import { success, timestamp, withoutTrailingSlash } from './wire.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly secrets: Secrets;
  readonly ids: Ids;
}

type TokenBody = NonNullable<CreateUploadTokenData['body']>;

/** What the token settles for its uploads; the other fields say how long and how often it works. */
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
] as const;

/** Wire ⇄ domain for upload tokens. */
export function uploadTokensHandlers(deps: Deps): UploadTokensHandlers<Call> {
  return {
    createUploadToken: parsing(
      ({ body }) => ({
        pins: pinsOf(body),
        lifetimeMs: (body.expires_in ?? 900) * 1000,
        maxUses: body.max_uses ?? 1,
      }),
      async (asked, { caller: { account, key } }) => {
        const { token, credential } = await createUploadToken(deps, { ...asked, account, key });
        return success({ token: credential, expires_at: timestamp(token.expiresAt), max_uses: token.maxUses });
      },
    ),
  };
}

function pinsOf(body: TokenBody): UploadPins {
  // The size is that of what its sender wrote; what nobody knows does not count.
  const pinned = Object.fromEntries(pinnedFields.map((field) => [field, body[field]]));
  return parsePins(
    {
      name: body.name,
      prefix: withoutTrailingSlash(body.prefix),
      isPrivate: body.private,
      securityHash: body.security_hash,
      expire: body.expire,
      maxSizeBytes: body.max_size,
      allowedExtensions: body.allowed_extensions,
      allowedOrigins: body.allowed_origins,
      metadata: body.metadata,
    },
    Buffer.byteLength(JSON.stringify(pinned)),
  );
}
