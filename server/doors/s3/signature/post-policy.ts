import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { algorithm, isSignatureOf, signingKey } from './canonical.ts';
import { parseCredential, requireDate } from './header.ts';
import { isOlderForm, olderForm } from './version-2.ts';

/** The fields of a form, names in lower case. */
export type FormFields = ReadonlyMap<string, string>;

/** What a form says of its signature. */
export interface FormClaim {
  readonly accessKeyId: string;
  /** In base64, which is what was signed. */
  readonly policy: string;
  readonly signature: string;
  /** Whether the form's policy was signed with this secret. */
  isSignedBy(secretAccessKey: string): boolean;
}

const signatureFields = ['policy', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-date', 'x-amz-signature'];

/**
 * Reads the claim of a form.
 *
 * @throws AccessDenied, InvalidArgument, InvalidRequest for a policy that was signed with Version 2
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-post-example.html
 */
export function formClaim(fields: FormFields): FormClaim {
  const [policy, stated, credential, date, signature] = signatureFields.map((name) => fields.get(name)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  if (isOlderForm(fields)) throw olderForm();
  const missing = signatureFields.filter((name) => !fields.has(name));
  if (missing.length === signatureFields.length)
    throw new S3Refusal('AccessDenied', { message: 'The form has no policy. There are no anonymous uploads here.' });
  const refuse = (message: string) =>
    new S3Refusal('InvalidArgument', {
      message: `The signature of the form cannot be read. ${message}`,
      ...(missing.length > 0 && { details: { ArgumentName: missing[0]! } }),
    });
  if (missing.length > 0) throw refuse(`It has no field ${missing.join(', ')} before its file.`);
  if (stated !== algorithm) throw refuse(`x-amz-algorithm must be ${algorithm}.`);
  const { accessKeyId, scope } = parseCredential(credential, refuse);
  requireDate(scope, date, refuse);
  return {
    accessKeyId,
    policy,
    signature,
    isSignedBy: (secret) => isSignatureOf(signingKey(secret, scope), policy, signature),
  };
}

/** How large the file of a form may be. */
export interface SizeRange {
  readonly minBytes: number;
  readonly maxBytes: number | undefined;
}

/** Fields that no condition needs to name. */
const exempt = /^(policy|x-amz-signature|file|x-ignore-.*)$/;

/**
 * Asks every condition of a form's policy, and whether every field is named by one: what is not could have been added
 * by whoever fills the form in.
 *
 * @param fields with `bucket` among them, and `key` as it will be stored
 * @throws InvalidPolicyDocument, AccessDenied when it has expired or a condition does not hold
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
 */
export function checkPolicy(fields: FormFields, now: number): SizeRange {
  const { expiration, conditions } = readPolicy(fields.get('policy')!);
  if (expiration <= now)
    throw new S3Refusal('AccessDenied', { message: 'Invalid according to Policy: Policy expired.' });
  const named = new Set<string>();
  let range: SizeRange = { minBytes: 0, maxBytes: undefined };
  for (const [at, condition] of conditions.entries()) {
    const [kind, field, wanted] = readCondition(condition, at + 1);
    if (kind === 'content-length-range') {
      range = {
        minBytes: Math.max(range.minBytes, Number(field)),
        maxBytes: Math.min(range.maxBytes ?? Infinity, Number(wanted)),
      };
      continue;
    }
    named.add(field);
    const given = fields.get(field) ?? '';
    const holds = kind === 'eq' ? given === wanted : startsWith(field, given, wanted);
    if (!holds)
      throw new S3Refusal('AccessDenied', {
        message: `Invalid according to Policy: Policy Condition failed: ["${kind}", "$${field}", "${wanted}"]`,
      });
  }
  const extra = [...fields.keys()].filter((name) => !named.has(name) && !exempt.test(name));
  if (extra.length > 0)
    throw new S3Refusal('AccessDenied', {
      message: `Invalid according to Policy: Extra input fields: ${extra.join(', ')}`,
    });
  return range;
}

/** More content types nobody means, and thousands of them asked by thousands of conditions would take seconds. */
const maxTypes = 100;

/** A list of content types is asked one by one. */
function startsWith(field: string, given: string, wanted: string): boolean {
  if (field !== 'content-type') return given.startsWith(wanted);
  const types = given.split(',', maxTypes + 1).map((type) => type.trim());
  return types.length <= maxTypes && types.every((type) => type.startsWith(wanted));
}

function readPolicy(encoded: string): { readonly expiration: number; readonly conditions: readonly unknown[] } {
  let policy: unknown;
  try {
    policy = JSON.parse(Buffer.from(encoded, 'base64').toString());
  } catch {
    throw new S3Refusal('InvalidPolicyDocument', { message: 'The policy is no JSON in base64.' });
  }
  const { expiration, conditions, ...others } = (typeof policy === 'object' && policy !== null ? policy : {}) as {
    expiration?: unknown;
    conditions?: unknown;
  };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new S3Refusal('InvalidPolicyDocument', { message: `The policy has a field that nobody knows: ${unknown}.` });
  const endsAt =
    typeof expiration === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(expiration)
      ? Date.parse(expiration)
      : Number.NaN;
  if (Number.isNaN(endsAt) || !Array.isArray(conditions))
    throw new S3Refusal('InvalidPolicyDocument', {
      message: 'The policy needs an expiration, such as 2026-04-21T12:00:00Z, and a list of conditions.',
    });
  return { expiration: endsAt, conditions };
}

/**
 * One condition, the field's name in lower case and without `$`. @param number its place, which is told: itself it may
 * be of any depth
 */
function readCondition(
  condition: unknown,
  number: number,
): readonly ['eq' | 'starts-with' | 'content-length-range', string, string] {
  const refuse = () =>
    new S3Refusal('InvalidPolicyDocument', { message: `Condition ${number} of the policy cannot be read.` });
  if (Array.isArray(condition)) {
    const [kind, field, wanted] = condition as unknown[];
    const name = typeof kind === 'string' ? kind.toLowerCase() : '';
    if (condition.length !== 3) throw refuse();
    if (name === 'content-length-range') {
      const sizes = [field, wanted].map(String);
      if (!sizes.every((size) => /^\d{1,15}$/.test(size))) throw refuse();
      return [name, sizes[0]!, sizes[1]!];
    }
    if (
      (name !== 'eq' && name !== 'starts-with') ||
      typeof field !== 'string' ||
      !field.startsWith('$') ||
      typeof wanted !== 'string'
    )
      throw refuse();
    return [name, field.slice(1).toLowerCase(), wanted];
  }
  const entries =
    typeof condition === 'object' && condition !== null ? Object.entries(condition as Record<string, unknown>) : [];
  const [entry, ...others] = entries;
  if (!entry || others.length > 0 || typeof entry[1] !== 'string') throw refuse();
  return ['eq', entry[0].toLowerCase(), entry[1]];
}
