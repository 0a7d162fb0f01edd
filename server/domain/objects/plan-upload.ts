import type { Account } from '../account/account.ts';
import type { Ids } from '../ports/ids.ts';
import type { Reads } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { requireExtension } from '../rules/require-rule.ts';
import { beyondPlan, ruleFor, takesExtension, type Rule } from '../rules/rule.ts';
import type { UploadPins } from '../access/upload-token.ts';
import { endingOf, storedKey } from './key.ts';
import type { UploadFields } from './upload-options.ts';
import { capExceeded, type SizeCap, type UploadPlan } from './upload-plan.ts';
import { requirePlan } from '../file-options.ts';

interface Deps {
  readonly metadata: Reads<'rules'>;
  readonly ids: Pick<Ids, 'nameHash'>;
}

/**
 * Settles where a file goes and how, by what its upload asks for, its token pins, its prefix's rule says and the
 * account's plan includes. A file at the root is under no rule.
 *
 * @param leastBytes what its size is at least, as far as that is known
 * @throws UPGRADE_REQUIRED, FILE_TYPE_NOT_ALLOWED, FILE_TOO_LARGE, INVALID_OBJECT_SECURITY_HASH, with the prefix of a
 *   rule where one refuses
 */
export async function planUpload(
  { metadata, ids }: Deps,
  account: Account,
  fields: UploadFields,
  pins: UploadPins | undefined,
  leastBytes: number,
): Promise<UploadPlan> {
  const { prefix, name, extension, securityHash } = fields;
  const rule = prefix === undefined ? undefined : ruleFor(await metadata.read.rules.listOf(account.id), `${prefix}/`);
  const isPrivate = fields.isPrivate ?? rule?.isPrivate ?? false;
  requirePlan(account.plan, fields);
  if (pins?.allowedExtensions && !takesExtension({ extensions: pins.allowedExtensions }, extension)) {
    throw new Refusal('FILE_TYPE_NOT_ALLOWED', {
      message: `This upload token takes files that end in ${pins.allowedExtensions.join(', ')}.`,
    });
  }
  if (rule) requireRule(rule, account, { isPrivate, securityHash, extension });
  const cap = capOf(rule, pins);
  if (cap && leastBytes > cap.maxBytes) throw capExceeded(cap);
  const expire = fields.expire === undefined ? (rule?.expire ?? null) : fields.expire;
  const hash = isPrivate || securityHash ? ids.nameHash() : undefined;
  const ending = endingOf({ hash, expire, extension });
  return {
    address: { accountId: account.id, space: isPrivate ? 'private' : 'public', key: storedKey(prefix, name, ending) },
    ending,
    expire,
    mayReplace: fields.mayReplace,
    disposition: fields.disposition,
    cacheControl: fields.cacheControl ?? rule?.cacheControl ?? null,
    metadata: fields.metadata ?? {},
    cap,
  };
}

/** The smaller one; the rule's where they are equal, because only the account can change it. */
function capOf(rule: Rule | undefined, pins: UploadPins | undefined): SizeCap | null {
  const ruleBytes = rule?.maxSizeBytes ?? Infinity;
  const tokenBytes = pins?.maxSizeBytes ?? Infinity;
  if (tokenBytes < ruleBytes) return { maxBytes: tokenBytes, prefix: null };
  return rule && ruleBytes < Infinity ? { maxBytes: ruleBytes, prefix: rule.prefix } : null;
}

/** What a rule asks of the files under it. */
function requireRule(
  rule: Rule,
  { plan }: Account,
  file: { readonly isPrivate: boolean; readonly securityHash: boolean | undefined; readonly extension: string },
): void {
  const { prefix } = rule;
  const option = beyondPlan(rule, plan);
  if (option !== undefined) {
    throw new Refusal('UPGRADE_REQUIRED', {
      message: `The rule of this prefix has ${option}, which needs the Enterprise plan. Change the rule or upgrade the plan.`,
      prefix,
    });
  }
  // The visibility may be the rule's, and a private file always carries a hash.
  if (file.isPrivate && file.securityHash === false) {
    throw new Refusal('INVALID_OBJECT_SECURITY_HASH', {
      message:
        'The rule of this prefix makes files private, and private files always carry the hash. Leave security_hash out, or send private=false with it.',
      prefix,
    });
  }
  requireExtension(rule, file.extension);
}
