import type { ApiKey } from '#server/domain/access/api-key.ts';
import type { ActivityRecord } from '#server/domain/activity/activity.ts';
import type { NewPart } from '#server/features/uploads/chunked-upload.ts';
import type { NewChunkedUpload } from '#server/features/uploads/table.ts';
import type { Content, NewContent } from '#server/domain/contents/table.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import type { Rule } from '#server/features/rules/rule.ts';
import type { UploadToken } from '#server/domain/access/upload-token.ts';
import { partNumber, prefixes } from '#test/support/parsed.ts';

/** The account of most rows. */
export const accountId = '204815162342108999';
/** Another account, whose rows must not change. */
export const otherId = '204815162342108998';

/** A key with most fields set. */
export const key: ApiKey = {
  id: 'key-1',
  accountId,
  name: 'Website ☁',
  scopes: ['blob:read', 'ai:chat'],
  resources: null,
  ai: null,
  prefixes: prefixes('photos', 'docs/2026'),
  createdAt: 1000,
  lastUsedAt: null,
  expiresAt: 9000,
  revokedAt: null,
  last4: 'abcd',
  s3Salt: null,
  s3Check: null,
  s3Sealed: null,
};

/** A file with all fields set. */
export const object: StoredObject = {
  accountId,
  space: 'public',
  key: 'a.png',
  contentId: 'content-1',
  sizeBytes: 3,
  etag: 'e',
  sha256: 'f'.repeat(64),
  createdAt: 1_776_763_800_123,
  expiresAt: 1_776_763_900_000,
  cacheControl: 'max-age=60',
  disposition: 'inline',
  clientProperties: { contentType: 'text/x-own', metadata: { a_b: '☁' } },
  originalName: 'Ä "b"\u0000.png',
  metadata: { a: '1', b: '☁' },
  suffix: { hash: 'abcdefghijklmnop', mark: 'ex6h', extension: 'tar.gz' },
  generation: 'generation-1',
  versionId: 'version-1',
};

/** An activity record with all fields set. */
export const record: ActivityRecord = {
  accountId,
  type: 'object.uploaded',
  object: { accountId, space: 'private', key: 'photos/ä.png' },
  details: { size: 3, replaced: false, name: '☁' },
  actor: { sourceIp: '2001:db8::1', userAgent: 'curl/8.14.1', auth: 'api_key' },
};

/** A content of one blob, or of the given blobs. */
export const content = (
  id: string,
  blobs: Content['blobs'] = [{ blobId: `${id}-blob`, sizeBytes: 3, inline: null }],
): NewContent => ({
  id,
  blobs,
  crc32: 7,
  sizeBytes: blobs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
});

/** A content as it is read again. */
export const readAgain = ({ id, sizeBytes, blobs }: NewContent): Content => ({ id, sizeBytes, blobs });

/** A chunked upload with all fields set. */
export const started: NewChunkedUpload = {
  id: 'upload-1',
  accountId,
  tokenId: 'token-1',
  originalName: 'Ä.tar.gz',
  startedAt: 1000,
  declaredBytes: 10_737_418_240,
  serial: { metadata: 'filename YQ==', isPartial: true },
  sentTo: null,
  listed: { properties: { contentType: 'text/x-own' }, checksum: { algorithm: 'CRC32C', type: 'COMPOSITE' } },
  resolved: {
    address: { accountId, space: 'private', key: 'a/ä.tar.gz' },
    suffix: { hash: 'h', mark: 'ex10', extension: 'tar.gz' },
    expire: { hours: 240 },
    mayReplace: false,
    disposition: 'attachment',
    cacheControl: 'no-cache',
    metadata: { a: '☁' },
    cap: { maxBytes: 10_737_418_240, prefix: 'a/' },
  },
};

/** A chunked upload without optional fields. */
export const bareStarted: NewChunkedUpload = {
  id: 'upload-2',
  accountId,
  tokenId: null,
  originalName: null,
  startedAt: 900,
  declaredBytes: null,
  listed: null,
  sentTo: null,
  serial: null,
  resolved: {
    address: { accountId, space: 'public', key: 'b' },
    suffix: { hash: null, mark: null, extension: '' },
    expire: null,
    mayReplace: true,
    disposition: null,
    cacheControl: null,
    metadata: {},
    cap: null,
  },
};

/** A part of an upload. Every second part has a checksum. */
export const part = (number: number, sizeBytes = 20_000, inline: Uint8Array | null = null): NewPart => ({
  part: partNumber(number),
  blob: {
    blobId: `part-${number}-${sizeBytes}`,
    sizeBytes,
    inline,
    crc32: number,
    ...(number % 2 === 0 && { checksum: { algorithm: 'CRC32' as const, value: 'AAAAAA==' } }),
  },
  md5: 'a'.repeat(32),
});

/** A rule with all fields set. */
export const rule: Rule = {
  prefix: 'invoices/2026/',
  isPrivate: true,
  expire: { hours: 6 },
  maxSizeBytes: 10_737_418_240,
  extensions: ['pdf', 'tar.gz'],
  cacheControl: 'max-age=60',
  deleteAfterDays: 365,
  keepDeletedDays: 30,
  keepVersions: 10,
  createdAt: 1_776_763_800_123,
};

/** A rule without any option. */
export const bareRule: Rule = {
  prefix: 'a/',
  isPrivate: null,
  expire: null,
  maxSizeBytes: null,
  extensions: null,
  cacheControl: null,
  deleteAfterDays: null,
  keepDeletedDays: null,
  keepVersions: null,
  createdAt: 1000,
};

/** An upload token with all pins set. */
export const token: UploadToken = {
  id: 'token-1',
  accountId,
  keyId: 'key-1',
  createdAt: 1000,
  expiresAt: 901_000,
  endedAt: null,
  maxUses: 3,
  usesLeft: 3,
  pins: {
    name: 'avatar',
    prefix: prefixes('a/b')[0]!,
    isPrivate: false,
    securityHash: false,
    expire: null,
    maxSizeBytes: 10_737_418_240,
    allowedExtensions: ['png'],
    allowedOrigins: ['https://app.example'],
    metadata: { a: '☁' },
  },
};
