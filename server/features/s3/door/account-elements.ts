import type { Account } from '#server/domain/account/account.ts';
import type { XmlElements } from './xml.ts';

/** Returns an account as the owner of a file, of an upload or of all buckets. */
export function accountElements({ id, name }: Pick<Account, 'id' | 'name'>): XmlElements {
  return { ID: id, DisplayName: name };
}
