import { pageOf, type PageRequest } from '../page.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { signCursor, verifyCursor } from '../signed-cursor.ts';
import type { AccountPlace } from './table.ts';

interface Deps {
  readonly metadata: Reads<'accounts'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
}

interface ListAccounts extends PageRequest {
  /** A part of a name, or the beginning of an id. */
  readonly search?: string | undefined;
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
  return pageOf(found, limit, (last) => formatPlace(secrets, last));
}

function formatPlace(secrets: Deps['secrets'], { createdAt, id }: AccountPlace): string {
  return signCursor(secrets, purpose, `${createdAt}-${id}`, []);
}

function parsePlace(secrets: Deps['secrets'], cursor: string): AccountPlace {
  const [, createdAt, id = ''] = verifyCursor(secrets, purpose, cursor, { form: /^(\d{1,15})-(\d{18})$/, binding: [] });
  return { createdAt: Number(createdAt), id };
}
