import { Refusal } from '#server/domain/refusal.ts';
import { BodyError } from '#server/http/body-error.ts';

/** Returns SERVER_OVERLOADED if the memory for bodies is used up. Returns undefined for other errors. */
export function bodyMemoryRefusal(error: unknown): Refusal | undefined {
  const isFull = error instanceof BodyError && error.reason === 'no-memory';
  return isFull ? new Refusal('SERVER_OVERLOADED') : undefined;
}
