import { parseObjectId } from './object-id.ts';
import { coversKey, type Prefix } from './prefixes.ts';
import { Refusal } from './refusal.ts';

/** Whether an id, as it was recorded, is that of a file under one of the prefixes. */
export function coversId(prefixes: readonly Prefix[], id: unknown, accountId: string): boolean {
  try {
    return coversKey(prefixes, parseObjectId(String(id), accountId).key);
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
