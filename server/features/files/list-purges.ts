import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { signCursor, verifyCursor } from '#server/domain/signed-cursor.ts';
import type { WaitingPurge } from './purges-table.ts';

interface Deps {
  readonly metadata: Reads<'purges'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
}

interface ListPurges {
  /** Purges on a page, at least 1. */
  readonly limit: number;
  readonly cursor: string | undefined;
}

interface PurgesPage {
  readonly purges: readonly WaitingPurge[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

const purpose = 'purges-cursor';

/**
 * Returns one page of the public URLs that the CDN has yet to drop, the oldest change first.
 *
 * @throws INVALID_CONTINUATION_TOKEN
 */
export async function listPurges({ metadata, secrets }: Deps, { limit, cursor }: ListPurges): Promise<PurgesPage> {
  const after = cursor === undefined ? '' : parsePlace(secrets, cursor);
  // One purge more than fits shows whether another page follows.
  const found = await metadata.read.purges.page(after, limit + 1);
  const purges = found.slice(0, limit);
  const last = purges.at(-1);
  return { purges, next: found.length > limit && last ? signCursor(secrets, purpose, last.id, []) : undefined };
}

function parsePlace(secrets: Deps['secrets'], cursor: string): string {
  return verifyCursor(secrets, purpose, cursor, { form: /^[a-z0-9]{1,64}$/, binding: [] })[0];
}
