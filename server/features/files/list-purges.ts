import { pageOf, type Page, type PageRequest } from '#server/domain/page.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { signCursor, verifyCursor } from '#server/domain/signed-cursor.ts';
import type { WaitingPurge } from './purges-table.ts';

interface Deps {
  readonly metadata: Reads<'purges'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
}

const purpose = 'purges-cursor';

/**
 * Returns one page of the public URLs that the CDN has yet to drop, the oldest change first.
 *
 * @throws INVALID_CONTINUATION_TOKEN
 */
export async function listPurges(
  { metadata, secrets }: Deps,
  { limit, cursor }: PageRequest,
): Promise<Page<WaitingPurge>> {
  const form = /^[a-z0-9]{1,64}$/;
  const [after] = cursor === undefined ? [''] : verifyCursor(secrets, purpose, cursor, { form, binding: [] });
  const found = await metadata.read.purges.page(after, limit + 1);
  return pageOf(found, limit, ({ id }) => signCursor(secrets, purpose, id, []));
}
