import { Refusal } from '#server/domain/refusal.ts';

/** A sender learns nothing about the account: neither its quota nor its plan. */
export function forSender(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  if (error.code === 'STORAGE_QUOTA_EXCEEDED') return new Refusal('FILE_REQUEST_FULL');
  return error;
}
