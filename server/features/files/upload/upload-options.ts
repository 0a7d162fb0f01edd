import type { PinnedOptions } from '#server/domain/access/upload-token.ts';
import type { Duration } from '#server/domain/duration.ts';
import { readExpire, readPrefix, requireCacheControl } from '#server/domain/file-options.ts';
import { isMetadata } from '#server/domain/object-metadata.ts';
import type { Prefix } from '#server/domain/prefixes.ts';
import type { FileKind } from '#server/domain/incoming-file.ts';
import { Refusal, type RefusalDetails } from '#server/domain/refusal.ts';
import { got, shownValue } from '#server/domain/error-value.ts';
import { extensionOfName, extensionOfUpload, isBlocked, isWellFormedExtension, programEnding } from '../file-type.ts';
import type { Disposition } from '../object.ts';

/** The options of an upload as they were sent. `undefined` for those that were not. */
export interface UploadOptions {
  readonly name: string | undefined;
  /** With or without a trailing slash. Empty means none. */
  readonly prefix: string | undefined;
  readonly isPrivate: boolean | undefined;
  readonly securityHash: boolean | undefined;
  /** Null keeps the file for good, whatever a rule says. */
  readonly expire: string | null | undefined;
  readonly overwrite: boolean | undefined;
  readonly disposition: Disposition | undefined;
  readonly cacheControl: string | undefined;
  /** One JSON object. */
  readonly metadata: string | undefined;
}

/** The parsed options of an upload, with the pins of its token in place. `undefined` for those that nobody has set. */
export interface UploadFields {
  readonly name: string;
  readonly prefix: Prefix | undefined;
  readonly isPrivate: boolean | undefined;
  readonly securityHash: boolean | undefined;
  /** Null keeps the file for good, whatever a rule says. */
  readonly expire: Duration | null | undefined;
  readonly mayReplace: boolean;
  readonly disposition: Disposition | null;
  readonly cacheControl: string | undefined;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  /** Without its dot. */
  readonly extension: string;
}

/**
 * Reads an upload's options. It needs neither the account nor a byte of the file, so it runs before the plan is
 * checked.
 *
 * @param pins of an upload token, which take precedence over the options. Undefined for an API key
 * @throws INVALID_OBJECT_NAME, INVALID_OBJECT_PREFIX, INVALID_OBJECT_SECURITY_HASH, INVALID_OBJECT_EXPIRE,
 *   INVALID_OBJECT_CACHE_CONTROL, INVALID_OBJECT_METADATA, INVALID_FILE_TYPE, BLOCKED_FILE_TYPE
 */
export function readUploadOptions(options: UploadOptions, file: FileKind, pins?: PinnedOptions): UploadFields {
  const name = pins?.name ?? options.name;
  if (name === undefined) throw new Refusal('INVALID_OBJECT_NAME', { detail: '`name` is missing.' });
  const prefix = pins?.prefix ?? readPrefix(options.prefix);
  const isPrivate = pins?.isPrivate ?? options.isPrivate;
  // Nobody knows which file a browser would replace.
  if (pins && pins.name === undefined && pins.securityHash === undefined && options.securityHash === false)
    throw new Refusal('INVALID_OBJECT_SECURITY_HASH', {
      message: 'This upload token pins no name, so its files always carry the hash. Leave security_hash out.',
    });
  const securityHash = pins ? hashOf(pins) : options.securityHash;
  if (isPrivate && securityHash === false) throw new Refusal('INVALID_OBJECT_SECURITY_HASH');
  const expire = readExpire(options.expire);
  requireCacheControl(options.cacheControl);
  const metadata = withPinned(parseMetadata(options.metadata), pins?.metadata);
  const extension = extensionOfUpload(file.filename, file.mimeType);
  if (!isWellFormedExtension(extension)) throw new Refusal('INVALID_FILE_TYPE', typeDetail(file, extension));
  if (isBlocked(extension)) throw new Refusal('BLOCKED_FILE_TYPE', typeDetail(file, extension));
  // Downloads and archives have the filename.
  const ending = programEnding(file.filename);
  if (ending !== undefined)
    throw new Refusal('BLOCKED_FILE_TYPE', {
      detail: `Got ${shownValue(ending)} from \`filename\` ${shownValue(file.filename)}.`,
    });
  return {
    name,
    prefix,
    isPrivate,
    securityHash,
    expire: pins?.expire === undefined ? expire : pins.expire,
    mayReplace: options.overwrite !== false,
    disposition: options.disposition ?? null,
    cacheControl: options.cacheControl,
    metadata,
    extension,
  };
}

/** Names the extension and its source: the filename, or the MIME type if the filename has none. */
function typeDetail({ filename, mimeType }: FileKind, extension: string): RefusalDetails {
  const [field, value] = extensionOfName(filename) === undefined ? ['mime_type', mimeType] : ['filename', filename];
  return { detail: `Got ${shownValue(extension)} from \`${field}\` ${shownValue(value)}.` };
}

/**
 * Whether files of the token get a hash. Without a pinned name they always do, because nobody knows which file a
 * browser would replace.
 */
function hashOf({ name, securityHash = true }: PinnedOptions): boolean {
  return name === undefined || securityHash;
}

/** Reads metadata that was sent as text. @throws INVALID_OBJECT_METADATA */
export function parseMetadata(text: string | undefined): Readonly<Record<string, string>> | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('INVALID_OBJECT_METADATA', { detail: `Got ${shownValue(text)}, which is not JSON.` });
  }
  if (!isMetadata(value)) throw new Refusal('INVALID_OBJECT_METADATA', { detail: got(text) });
  return value;
}

function withPinned(own: PinnedOptions['metadata'], pinned: PinnedOptions['metadata']): PinnedOptions['metadata'] {
  const all = pinned && { ...own, ...pinned };
  if (all && !isMetadata(all)) throw new Refusal('INVALID_OBJECT_METADATA');
  return all ?? own;
}
