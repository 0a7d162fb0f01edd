import type { Account } from '../account/account.ts';
import type { Actor } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { expiresAtMs, isShort, parseDuration, type Duration } from '../duration.ts';
import { maxUploadBytes, minUploadBytes } from '../limits.ts';
import { isAtLeast, quotaBytesOf } from '../plan.ts';
import { BlobStoreUnavailable, type BlobStore } from '../ports/blobs.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import { MetadataUnavailable, type Metadata, type Transaction } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { beyondPlan, ruleFor, takesExtension, type Rule } from '../rules/rule.ts';
import { isCacheControl } from './cache-control.ts';
import { extensionOfUpload, isBlocked, isWellFormedExtension } from './file-type.ts';
import type { ObjectAddress } from './id.ts';
import { storedKey } from './key.ts';
import { isMetadata } from './metadata.ts';
import { isExpired, type Disposition, type StoredObject } from './object.ts';
import { discardContent, receiveContent, type ReceivedContent } from './receive-content.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly blobs: Pick<BlobStore, 'put'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** A file on its way in. */
export interface IncomingFile {
  readonly filename: string;
  readonly mimeType: string;
  readonly estimatedBytes: number | undefined;
  /** Where the estimate may be too large: what the size is at least. */
  readonly leastBytes?: number | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Resolves when the body was whole and held nothing else; rejects with a refusal otherwise. */
  readonly finished: () => Promise<void>;
}

/** The wishes of an upload as they came; `undefined` where none did. */
export interface UploadOptions {
  readonly name: string | undefined;
  /** Without a trailing slash. */
  readonly prefix: string | undefined;
  readonly isPrivate: boolean | undefined;
  readonly securityHash: boolean | undefined;
  readonly expire: string | undefined;
  readonly overwrite: boolean | undefined;
  readonly disposition: Disposition | undefined;
  readonly cacheControl: string | undefined;
  /** One JSON object. */
  readonly metadata: string | undefined;
}

export interface UploadObject {
  readonly account: Account;
  readonly options: UploadOptions;
  readonly checksumSha256: string | undefined;
  readonly file: IncomingFile;
  readonly signal: AbortSignal;
  readonly actor: Actor;
}

export interface UploadedObject {
  readonly object: StoredObject;
  readonly isReplaced: boolean;
}

/**
 * Stores one file. Resolves only once it would survive a power cut.
 *
 * @throws INVALID_OBJECT_NAME, INVALID_OBJECT_SECURITY_HASH, INVALID_OBJECT_EXPIRE, INVALID_OBJECT_CACHE_CONTROL,
 *   INVALID_OBJECT_METADATA, INVALID_FILE_TYPE, BLOCKED_FILE_TYPE, FILE_TYPE_NOT_ALLOWED, FILE_TOO_LARGE, FILE_TOO_SMALL,
 *   UPGRADE_REQUIRED (the last four with the prefix of a rule, where one refuses), OBJECT_ALREADY_EXISTS, STORAGE_QUOTA_EXCEEDED, CHECKSUM_MISMATCH, UPLOAD_FAILED, and what `file.finished` refuses
 */
export async function uploadObject(deps: Deps, command: UploadObject): Promise<UploadedObject> {
  try {
    const rule = await ruleOf(deps, command);
    const plan = planUpload(deps, command, rule);
    await refuseTaken(deps, command, plan.address);
    const received = await receive(deps, command, rule);
    return await commit(deps, command, plan, received);
  } catch (error) {
    const isStoreFailure = error instanceof BlobStoreUnavailable || error instanceof MetadataUnavailable;
    throw isStoreFailure ? Object.assign(new Refusal('UPLOAD_FAILED'), { cause: error }) : error;
  }
}

/** The rule that holds for the upload; a file at the root is under none. */
async function ruleOf({ metadata }: Deps, { account, options: { prefix } }: UploadObject): Promise<Rule | undefined> {
  return prefix === undefined ? undefined : ruleFor(await metadata.read.rules.listOf(account.id), `${prefix}/`);
}

async function receive(deps: Deps, { account, file, signal }: UploadObject, rule: Rule | undefined): Promise<ReceivedContent> {
  const { bytes: source, estimatedBytes, leastBytes } = file;
  const ruleBytes = rule?.maxSizeBytes ?? Infinity;
  try {
    return await receiveContent(deps, { account, source, estimatedBytes, leastBytes, maxBytes: Math.min(ruleBytes, maxUploadBytes), signal });
  } catch (error) {
    const isOfRule = error instanceof Refusal && error.code === 'FILE_TOO_LARGE' && ruleBytes < maxUploadBytes;
    throw isOfRule ? tooLargeFor(rule!) : error;
  }
}

interface UploadFields {
  readonly name: string;
  readonly expire: Duration | undefined;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  readonly extension: string;
}

/**
 * What can be said of an upload's fields without its account and without a byte of the file: so it can be asked before
 * the plan is.
 *
 * @throws INVALID_OBJECT_NAME, INVALID_OBJECT_SECURITY_HASH, INVALID_OBJECT_EXPIRE, INVALID_OBJECT_CACHE_CONTROL,
 *   INVALID_OBJECT_METADATA, INVALID_FILE_TYPE, BLOCKED_FILE_TYPE, FILE_TOO_LARGE
 */
export function checkUpload(options: UploadOptions, file: Omit<IncomingFile, 'bytes' | 'finished'>): UploadFields {
  const { name, isPrivate, securityHash } = options;
  if (name === undefined) throw new Refusal('INVALID_OBJECT_NAME');
  if (isPrivate && securityHash === false) throw new Refusal('INVALID_OBJECT_SECURITY_HASH');
  const expire = options.expire === undefined ? undefined : parseDuration(options.expire);
  if (options.expire !== undefined && !expire) throw new Refusal('INVALID_OBJECT_EXPIRE');
  if (options.cacheControl !== undefined && !isCacheControl(options.cacheControl)) throw new Refusal('INVALID_OBJECT_CACHE_CONTROL');
  const metadata = parseMetadata(options.metadata);
  const extension = extensionOfUpload(file.filename, file.mimeType);
  if (!isWellFormedExtension(extension)) throw new Refusal('INVALID_FILE_TYPE');
  if (isBlocked(extension)) throw new Refusal('BLOCKED_FILE_TYPE');
  if ((file.leastBytes ?? file.estimatedBytes ?? 0) > maxUploadBytes) throw new Refusal('FILE_TOO_LARGE');
  return { name, expire, metadata, extension };
}

interface UploadPlan {
  readonly address: ObjectAddress;
  readonly expire: Duration | undefined;
  readonly cacheControl: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Everything that can be decided before the first byte of the file. */
function planUpload({ ids }: Deps, { account, options, file }: UploadObject, rule: Rule | undefined): UploadPlan {
  const { prefix, isPrivate = rule?.isPrivate ?? false, securityHash } = options;
  const { name, expire: ownExpire, metadata, extension } = checkUpload(options, file);
  requirePlan(account, ownExpire, options.cacheControl, metadata);
  if (rule) requireRule(rule, account, { isPrivate, securityHash, extension, leastBytes: file.leastBytes ?? file.estimatedBytes ?? 0 });
  const expire = ownExpire ?? rule?.expire ?? undefined;
  const cacheControl = options.cacheControl ?? rule?.cacheControl ?? null;
  const hash = isPrivate || securityHash ? ids.nameHash() : undefined;
  const key = storedKey({ prefix, name, hash, expire, extension });
  return { address: { accountId: account.id, space: isPrivate ? 'private' : 'public', key }, expire, cacheControl, metadata: metadata ?? {} };
}

/** What a rule asks of the files under it. */
function requireRule(
  rule: Rule,
  { plan }: Account,
  file: { readonly isPrivate: boolean; readonly securityHash: boolean | undefined; readonly extension: string; readonly leastBytes: number },
): void {
  const { prefix } = rule;
  const option = beyondPlan(rule, plan);
  if (option !== undefined) {
    throw new Refusal('UPGRADE_REQUIRED', { message: `The rule of this prefix has ${option}, which needs the Enterprise plan. Change the rule or upgrade the plan.`, prefix });
  }
  // The visibility may be the rule's, and a private file always carries a hash.
  if (file.isPrivate && file.securityHash === false) throw new Refusal('INVALID_OBJECT_SECURITY_HASH', { prefix });
  if (!takesExtension(rule, file.extension)) throw new Refusal('FILE_TYPE_NOT_ALLOWED', { prefix });
  if (file.leastBytes > (rule.maxSizeBytes ?? Infinity)) throw tooLargeFor(rule);
}

function tooLargeFor({ maxSizeBytes, prefix }: Rule): Refusal {
  return new Refusal('FILE_TOO_LARGE', { message: `The rule of this prefix takes files of up to ${maxSizeBytes} bytes.`, prefix });
}

function parseMetadata(text: string | undefined): Readonly<Record<string, string>> | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('INVALID_OBJECT_METADATA');
  }
  if (!isMetadata(value)) throw new Refusal('INVALID_OBJECT_METADATA');
  return value;
}

/** Options that only some plans include. */
function requirePlan(
  { plan }: Account,
  expire: Duration | undefined,
  cacheControl: string | undefined,
  metadata: object | undefined,
): void {
  const refuse = (message: string) => new Refusal('UPGRADE_REQUIRED', { message });
  if (expire && isShort(expire) && !isAtLeast(plan, 'enterprise')) throw refuse('Expiry in less than 7 days needs the Enterprise plan.');
  if (cacheControl === 'no-cache' && !isAtLeast(plan, 'enterprise')) throw refuse('cache_control=no-cache needs the Enterprise plan.');
  if (metadata && !isAtLeast(plan, 'pro')) throw refuse('Metadata needs the Pro or Enterprise plan.');
}

/** Refuses before the bytes flow; the same is checked again where the row is written. */
async function refuseTaken({ metadata, clock }: Deps, { options }: UploadObject, address: ObjectAddress): Promise<void> {
  if (options.overwrite !== false) return;
  const existing = await metadata.read.objects.find(address);
  if (existing && !isExpired(existing, clock.now())) throw new Refusal('OBJECT_ALREADY_EXISTS');
}

async function commit(deps: Deps, command: UploadObject, plan: UploadPlan, received: ReceivedContent): Promise<UploadedObject> {
  try {
    await command.file.finished();
    if (received.sizeBytes < minUploadBytes) throw new Refusal('FILE_TOO_SMALL');
    if (command.checksumSha256 !== undefined && command.checksumSha256 !== received.sha256) throw new Refusal('CHECKSUM_MISMATCH');
    // A client that has gone away gets no answer, so nothing may be kept for it.
    command.signal.throwIfAborted();
    return await deps.metadata.atomically((tx) => writeObject(tx, deps, command, plan, received));
  } catch (error) {
    const discarded = discardContent(deps, received);
    // A database that does not answer would keep the client waiting a second time.
    if (!(error instanceof MetadataUnavailable)) await discarded;
    throw error;
  }
}

async function writeObject(
  tx: Transaction,
  { ids }: Deps,
  { account, options, file, actor }: UploadObject,
  { address, expire, cacheControl, metadata }: UploadPlan,
  received: ReceivedContent,
): Promise<UploadedObject> {
  const existing = await tx.objects.find(address);
  const isReplaced = existing !== undefined && !isExpired(existing, tx.now);
  if (isReplaced && options.overwrite === false) throw new Refusal('OBJECT_ALREADY_EXISTS');

  // The whole new file must fit beside what is stored, also when it replaces one: held bytes already count.
  if (received.reservationId !== undefined) await tx.reservations.release(received.reservationId);
  const current = await tx.accounts.find(account.id);
  const { sizeBytes } = received;
  if (!current || current.usedBytes + current.reservedBytes + sizeBytes > quotaBytesOf(current)) throw new Refusal('STORAGE_QUOTA_EXCEEDED');

  const contentId = ids.opaqueId();
  const object: StoredObject = {
    ...address,
    contentId,
    sizeBytes,
    etag: received.md5,
    sha256: received.sha256,
    createdAt: tx.now,
    expiresAt: expire ? expiresAtMs(expire, tx.now) : null,
    cacheControl,
    disposition: options.disposition ?? null,
    originalName: file.filename,
    metadata,
  };
  await tx.contents.add({ id: contentId, sizeBytes, blobs: [received.blob] });
  await tx.objects.put(object);
  if (existing) await tx.contents.release(existing.contentId);
  await tx.accounts.addUsage(account.id, {
    bytes: sizeBytes - (existing?.sizeBytes ?? 0),
    objects: existing ? 0 : 1,
  });
  await recordActivity(tx, { accountId: account.id, type: 'object.uploaded', object: address, details: { size: sizeBytes, replaced: isReplaced }, actor });
  return { object, isReplaced };
}
