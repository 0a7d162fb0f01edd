import { parseObjectId } from './object-id.ts';
import { coversKey, type Prefix } from './prefixes.ts';
import { Refusal } from './refusal.ts';

/** Returns the key of an id, as it was recorded. Undefined if it is no id of the account. */
export function recordedKey(id: unknown, accountId: string): string | undefined {
  try {
    return parseObjectId(String(id), accountId).key;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Whether an id, as it was recorded, is that of a file under one of the prefixes. */
export function coversId(prefixes: readonly Prefix[], id: unknown, accountId: string): boolean {
  const key = recordedKey(id, accountId);
  return key !== undefined && coversKey(prefixes, key);
}
