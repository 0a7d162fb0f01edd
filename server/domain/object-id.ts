import { Refusal } from './refusal.ts';
import { got } from './error-value.ts';

/** The spaces of files. The space is part of a file's identity. Lists show them in this order. */
export const spaces = ['public', 'private', 'legacy'] as const;

export type Space = (typeof spaces)[number];

/** The parts of an object id. {@link parseObjectId} reads them from a text. */
export interface ObjectAddress {
  readonly accountId: string;
  readonly space: Space;
  readonly key: string;
}

const starts: Readonly<Record<Space, string>> = { public: 'pub/', private: 'prv/', legacy: '' };
const maxKeyBytes = 1024;

export function formatObjectId({ accountId, space, key }: ObjectAddress): string {
  return `${starts[space]}${accountId}/${key}`;
}

/** Whether a text can be a stored key: 1 to 1024 bytes, no `.` or `..` segment, no control characters. */
export function isKey(key: string): boolean {
  if (key === '' || Buffer.byteLength(key) > maxKeyBytes || !key.isWellFormed()) return false;
  if (/[\u0000-\u001f\u007f]/.test(key)) return false;
  return !key.split('/').some((segment) => segment === '.' || segment === '..');
}

/**
 * Reads an object id of the caller's account.
 *
 * @throws INVALID_OBJECT if it can never be an id, or belongs to another account, whether or not it exists there
 */
export function parseObjectId(id: string, accountId: string): ObjectAddress {
  const [, start = '', owner, key] = /^(pub\/|prv\/)?([0-9]{18})\/([^]+)$/.exec(id) ?? [];
  if (owner !== accountId || key === undefined || !isKey(key)) throw new Refusal('INVALID_OBJECT', { detail: got(id) });
  const space: Space = start === 'pub/' ? 'public' : start === 'prv/' ? 'private' : 'legacy';
  return { accountId, space, key };
}
