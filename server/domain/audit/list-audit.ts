import { pageOf, type PageRequest } from '../page.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { formatCursor, parseCursor } from '../sequence-cursor.ts';

interface Deps {
  readonly metadata: Reads<'audit'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
}

interface ListAudit extends PageRequest {
  /** Leaves out entries before this instant. */
  readonly since: number | undefined;
}

const list = { purpose: 'audit-cursor', ownerId: '' } as const;

/**
 * Returns one page of the audit log, oldest first, and the cursor of the next page; undefined on the last one.
 *
 * @throws INVALID_CONTINUATION_TOKEN
 */
export async function listAudit({ metadata, secrets }: Deps, { since, limit, cursor }: ListAudit) {
  const after = cursor === undefined ? 0 : parseCursor(secrets, list, cursor);
  // One entry more than fits shows whether another page follows.
  const found = await metadata.read.audit.scan({ after, limit: limit + 1, ...(since !== undefined && { since }) });
  return pageOf(found, limit, ({ sequence }) => formatCursor(secrets, list, sequence));
}
