import { S3Refusal } from '../../s3-refusal.ts';
import { algorithm, isSignatureOf, signingKey } from '#server/signature-v4/canonical.ts';
import { parseCredential, signedInstant } from './header.ts';
import { isOlderForm, olderForm } from './version-2.ts';

/** The fields of a form, names in lower case. */
export type FormFields = ReadonlyMap<string, string>;

/** A form's own statement about its signature. */
interface FormClaim {
  readonly accessKeyId: string;
  /** In base64, as it was signed. */
  readonly policy: string;
  readonly signature: string;
  /** Whether the policy was signed with this secret. */
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
  if (isOlderForm(fields)) throw olderForm();
  const missing = signatureFields.filter((name) => !fields.has(name));
  if (missing.length === signatureFields.length)
    throw new S3Refusal('AccessDenied', {
      message: 'The form has no policy. Sign one, because uploads need an account.',
    });
  const refuse = (message: string) =>
    new S3Refusal('InvalidArgument', {
      message: `The signature of the form cannot be read. ${message}`,
      ...(missing.length > 0 && { details: { ArgumentName: missing[0]! } }),
    });
  if (missing.length > 0) throw refuse(`It has no field ${missing.join(', ')} before its file.`);
  const field = (name: string) => fields.get(name)!;
  if (field('x-amz-algorithm') !== algorithm) throw refuse(`x-amz-algorithm must be ${algorithm}.`);
  const { accessKeyId, scope } = parseCredential(field('x-amz-credential'), refuse);
  signedInstant(scope, field('x-amz-date'), refuse);
  const [policy, signature] = [field('policy'), field('x-amz-signature')];
  return {
    accessKeyId,
    policy,
    signature,
    isSignedBy: (secret) => isSignatureOf(signingKey(secret, scope), policy, signature),
  };
}

/** The allowed sizes of a form's file. */
export interface SizeRange {
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** Fields that no condition needs to name. */
const exempt = /^(policy|x-amz-signature|file|x-ignore-.*)$/;

/**
 * Checks every condition of a form's policy, and that a condition names every field. A field without a condition could
 * have been added by the person who fills in the form.
 *
 * @param fields with `bucket` among them, and `key` as it will be stored
 * @throws InvalidPolicyDocument, AccessDenied when it has expired or a condition does not hold
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
 */
export function checkPolicy(fields: FormFields, now: number): SizeRange {
  const { expiration, conditions } = readPolicy(fields.get('policy')!);
  if (expiration <= now) throw failed('Policy expired.');
  const named = new Set<string>();
  let [minBytes, maxBytes] = [0, Infinity];
  for (const [at, condition] of conditions.entries()) {
    const [kind, field, wanted] = readCondition(condition, at + 1);
    if (kind === 'content-length-range') {
      minBytes = Math.max(minBytes, Number(field));
      maxBytes = Math.min(maxBytes, Number(wanted));
      continue;
    }
    named.add(field);
    const given = fields.get(field) ?? '';
    const holds = kind === 'eq' ? given === wanted : startsWith(field, given, wanted);
    if (!holds) throw failed(`Policy Condition failed: ["${kind}", "$${field}", "${wanted}"]`);
  }
  const extra = [...fields.keys()].filter((name) => !named.has(name) && !exempt.test(name));
  if (extra.length > 0) throw failed(`Extra input fields: ${extra.join(', ')}`);
  return { minBytes, maxBytes };
}

/** Returns a refusal that begins with S3's own text. */
function failed(reason: string): S3Refusal {
  return new S3Refusal('AccessDenied', { message: `Invalid according to Policy: ${reason}` });
}

/** Thousands of content types, checked by thousands of conditions, would take seconds. */
const maxTypes = 100;

/** A list of content types is checked one by one. */
function startsWith(field: string, given: string, wanted: string): boolean {
  if (field !== 'content-type') return given.startsWith(wanted);
  const types = given.split(',', maxTypes + 1).map((type) => type.trim());
  return types.length <= maxTypes && types.every((type) => type.startsWith(wanted));
}

/** Returns the expiration in milliseconds since the epoch, and the conditions unread. @throws InvalidPolicyDocument */
function readPolicy(encoded: string): { readonly expiration: number; readonly conditions: readonly unknown[] } {
  let policy: unknown;
  try {
    policy = JSON.parse(Buffer.from(encoded, 'base64').toString());
  } catch {
    throw unreadable('The policy is not JSON in base64.');
  }
  const { expiration, conditions, ...others } = asRecord(policy);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw unreadable(`The policy has the unknown field ${unknown}. Its fields are expiration and conditions.`);
  const isInstant = typeof expiration === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(expiration);
  const endsAt = isInstant ? Date.parse(expiration) : Number.NaN;
  if (Number.isNaN(endsAt) || !Array.isArray(conditions))
    throw unreadable('The policy needs an expiration, such as 2026-04-21T12:00:00Z, and a list of conditions.');
  return { expiration: endsAt, conditions };
}

type Condition = readonly [kind: 'eq' | 'starts-with' | 'content-length-range', field: string, wanted: string];

/**
 * Reads one condition. The field's name is in lower case and without `$`.
 *
 * @param number its place in the list. The refusal tells only this, because a condition can be nested to any depth
 * @throws InvalidPolicyDocument
 */
function readCondition(condition: unknown, number: number): Condition {
  const read = Array.isArray(condition) ? readList(condition) : readPair(condition);
  if (!read) throw unreadable(`Condition ${number} of the policy cannot be read.`);
  return read;
}

/** `["eq", "$key", "a"]`, `["starts-with", "$key", "a"]` or `["content-length-range", 1, 100]`. */
function readList([kind, field, wanted, ...others]: readonly unknown[]): Condition | undefined {
  const name = typeof kind === 'string' ? kind.toLowerCase() : '';
  if (others.length > 0) return undefined;
  if (name === 'content-length-range')
    return isSize(field) && isSize(wanted) ? [name, String(field), String(wanted)] : undefined;
  if (name !== 'eq' && name !== 'starts-with') return undefined;
  if (typeof field !== 'string' || !field.startsWith('$') || typeof wanted !== 'string') return undefined;
  return [name, field.slice(1).toLowerCase(), wanted];
}

function isSize(value: unknown): value is string | number {
  return (typeof value === 'string' || typeof value === 'number') && /^\d{1,15}$/.test(String(value));
}

/** `{ "key": "a" }`. */
function readPair(condition: unknown): Condition | undefined {
  const [entry, ...others] = Object.entries(asRecord(condition));
  const [field, wanted] = entry ?? [];
  if (field === undefined || others.length > 0 || typeof wanted !== 'string') return undefined;
  return ['eq', field.toLowerCase(), wanted];
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function unreadable(message: string): S3Refusal {
  return new S3Refusal('InvalidPolicyDocument', { message });
}
