import type { Caller } from '#server/domain/access/caller.ts';
import type { PinnedOptions } from '#server/domain/access/upload-token.ts';
import type { Account } from '#server/domain/account/account.ts';
import { expiresAtMs, type Duration } from '#server/domain/duration.ts';
import { requirePlanFor } from '#server/domain/file-options.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { ruleOfFolder } from '#server/features/rules/list-rules.ts';
import { requireExtension, tooLarge } from '#server/features/rules/require-rule.ts';
import { beyondPlan, takesExtension, type Rule } from '#server/features/rules/rule.ts';
import { markOf, storedKey } from '../key.ts';
import type { StoredObject } from '../object.ts';
import type { UploadFields } from './upload-options.ts';

interface Deps {
  readonly metadata: Reads<'rules'>;
  readonly ids: Pick<Ids, 'nameHash'>;
}

/** The properties of a new file that are decided before its first byte. */
export interface ResolvedUpload extends Pick<StoredObject, 'cacheControl' | 'disposition' | 'suffix' | 'metadata'> {
  readonly address: ObjectAddress;
  /** Counted from when the file is written. Null keeps the file for good. */
  readonly expire: Duration | null;
  readonly mayReplace: boolean;
  /** The size limit of the prefix's rule or of the upload token. Null if neither has one. */
  readonly cap: SizeCap | null;
}

/** A limit on one file's size that an account has set itself. */
export interface SizeCap {
  readonly maxBytes: number;
  /** The rule's prefix. Null for an upload token's limit. */
  readonly prefix: string | null;
}

/**
 * Decides the address and the options of a new file. They follow from the upload's fields, the token's pins, the rule
 * of the prefix and the account's plan. A file at the root is under no rule.
 *
 * @param leastBytes the least size that the file can have, as far as it is known
 * @throws UPGRADE_REQUIRED, FILE_TYPE_NOT_ALLOWED, FILE_TOO_LARGE, INVALID_OBJECT_SECURITY_HASH, with the prefix of
 *   the rule that rejects the file
 */
export async function resolveUpload(
  deps: Deps,
  { account, token }: Pick<Caller, 'account' | 'token'>,
  fields: UploadFields,
  leastBytes: number,
): Promise<ResolvedUpload> {
  const { prefix, name, extension, securityHash } = fields;
  const pins = token?.pins;
  const rule = await ruleOfFolder(deps, account.id, prefix);
  const isPrivate = fields.isPrivate ?? rule?.isPrivate ?? false;
  requirePlanFor(account.plan, fields);
  if (pins?.allowedExtensions && !takesExtension({ extensions: pins.allowedExtensions }, extension)) {
    throw new Refusal('FILE_TYPE_NOT_ALLOWED', {
      message: `This upload token takes files that end in ${pins.allowedExtensions.join(', ')}.`,
    });
  }
  if (rule) requireRule(rule, account, { isPrivate, securityHash, extension });
  const cap = capOf(rule, pins);
  if (cap && leastBytes > cap.maxBytes) throw capExceeded(cap);
  const expire = fields.expire === undefined ? (rule?.expire ?? null) : fields.expire;
  const suffix = { hash: isPrivate || securityHash ? deps.ids.nameHash() : null, mark: markOf(expire), extension };
  return {
    address: { accountId: account.id, space: isPrivate ? 'private' : 'public', key: storedKey(prefix, name, suffix) },
    suffix,
    expire,
    mayReplace: fields.mayReplace,
    disposition: fields.disposition,
    cacheControl: fields.cacheControl ?? rule?.cacheControl ?? null,
    metadata: fields.metadata ?? {},
    cap,
  };
}

/** Returns the smaller limit. If both are equal, it is the rule's, which only the account can change. */
function capOf(rule: Rule | undefined, pins: PinnedOptions | undefined): SizeCap | null {
  const ruleBytes = rule?.maxSizeBytes ?? Infinity;
  const tokenBytes = pins?.maxSizeBytes ?? Infinity;
  if (tokenBytes < ruleBytes) return { maxBytes: tokenBytes, prefix: null };
  return rule && ruleBytes < Infinity ? { maxBytes: ruleBytes, prefix: rule.prefix } : null;
}

/** Checks a file against the rule of its prefix. */
function requireRule(
  rule: Rule,
  { plan }: Account,
  file: { readonly isPrivate: boolean; readonly securityHash: boolean | undefined; readonly extension: string },
): void {
  const { prefix } = rule;
  const option = beyondPlan(rule, plan);
  if (option !== undefined) {
    throw new Refusal('UPGRADE_REQUIRED', {
      message:
        `The rule of this prefix has ${option}, which needs the Enterprise plan. Change the rule or ` +
        'upgrade the plan.',
      prefix,
    });
  }
  // The visibility may come from the rule, and a private file always carries a hash.
  if (file.isPrivate && file.securityHash === false) {
    throw new Refusal('INVALID_OBJECT_SECURITY_HASH', {
      message:
        'The rule of this prefix makes files private, and private files always carry the hash. Leave ' +
        'security_hash out, or send private=false with it.',
      prefix,
    });
  }
  requireExtension(rule, file.extension);
}

/** Returns the refusal of a file that is larger than the limit. */
export function capExceeded({ maxBytes, prefix }: SizeCap): Refusal {
  if (prefix === null)
    return new Refusal('FILE_TOO_LARGE', { message: `This upload token takes files of up to ${maxBytes} bytes.` });
  return tooLarge(prefix, maxBytes);
}

/** The columns of a file that are decided before its first byte. */
type ResolvedRow = ObjectAddress & Omit<ResolvedUpload, 'address' | 'expire' | 'cap'> & Pick<StoredObject, 'expiresAt'>;

/** Returns the columns of the file's row that are resolved. */
export function resolvedRow({ address, expire, cap: _, ...row }: ResolvedUpload, now: number): ResolvedRow {
  return { ...address, ...row, expiresAt: expire && expiresAtMs(expire, now) };
}
