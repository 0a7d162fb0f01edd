import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { signCursor, verifyCursor } from '../signed-cursor.ts';
import type { AccountPlace } from './table.ts';

interface Deps {
  readonly metadata: Reads<'accounts'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
}

interface ListAccounts {
  /** A part of a name, or the beginning of an id. */
  readonly search?: string | undefined;
  /** Accounts on a page, at least 1. */
  readonly limit: number;
  readonly cursor: string | undefined;
}

const purpose = 'accounts-cursor';

/**
 * Returns one page of all accounts, oldest first, with suspended and deleted ones, and the cursor of the next page;
 * undefined on the last one.
 *
 * @throws INVALID_CONTINUATION_TOKEN
 */
export async function listAccounts({ metadata, secrets }: Deps, { search, limit, cursor }: ListAccounts) {
  const after = cursor === undefined ? undefined : parsePlace(secrets, cursor);
  // One account more than fits shows whether another page follows.
  const found = await metadata.read.accounts.page({
    limit: limit + 1,
    ...(search !== undefined && { search }),
    ...(after && { after }),
  });
  const accounts = found.slice(0, limit);
  const last = accounts.at(-1);
  return { accounts, next: found.length > limit && last ? formatPlace(secrets, last) : undefined };
}

function formatPlace(secrets: Deps['secrets'], { createdAt, id }: AccountPlace): string {
  return signCursor(secrets, purpose, `${createdAt}-${id}`, []);
}

function parsePlace(secrets: Deps['secrets'], cursor: string): AccountPlace {
  const [, createdAt, id = ''] = verifyCursor(secrets, purpose, cursor, { form: /^(\d{1,15})-(\d{18})$/, binding: [] });
  return { createdAt: Number(createdAt), id };
}
