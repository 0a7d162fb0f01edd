import { expiresAtMs, type Duration } from '../duration.ts';
import { Refusal } from '../refusal.ts';
import { tooLarge } from '../rules/require-rule.ts';
import type { ObjectAddress } from '../object-id.ts';
import type { KeyEnding } from './key.ts';
import type { Disposition } from './object.ts';

/** Everything about a new file that is settled before its first byte. */
export interface UploadPlan {
  readonly address: ObjectAddress;
  readonly ending: KeyEnding;
  /** Counted from when the file is written; null for good. */
  readonly expire: Duration | null;
  readonly mayReplace: boolean;
  readonly disposition: Disposition | null;
  readonly cacheControl: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** What the rule of its prefix and its token let it grow to; null where neither says. */
  readonly cap: SizeCap | null;
}

/** The columns of the file's row that its plan has settled. */
export function plannedRow(
  { address, ending, expire, mayReplace, disposition, cacheControl, metadata }: UploadPlan,
  now: number,
) {
  return {
    ...address,
    ending,
    expiresAt: expire && expiresAtMs(expire, now),
    mayReplace,
    disposition,
    cacheControl,
    metadata,
  };
}

/** A limit on one file's size that an account has set itself. */
export interface SizeCap {
  readonly maxBytes: number;
  /** The rule's prefix; null for an upload token's. */
  readonly prefix: string | null;
}

/** The refusal of a file that is larger. */
export function capExceeded({ maxBytes, prefix }: SizeCap): Refusal {
  if (prefix === null)
    return new Refusal('FILE_TOO_LARGE', { message: `This upload token takes files of up to ${maxBytes} bytes.` });
  return tooLarge({ maxSizeBytes: maxBytes, prefix });
}
