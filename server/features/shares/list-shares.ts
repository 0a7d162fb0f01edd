import { pageOf, type Page } from '#server/domain/page.ts';
import type { Reach } from '#server/domain/access/requester.ts';
import { nextTurn } from '#server/event-loop.ts';
import { maxListedShares } from './limits.ts';
import { formatObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import { coversKey, requireListPrefix } from '#server/domain/prefixes.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { signCursor, verifyCursor } from '#server/domain/signed-cursor.ts';
import { openShareId } from './share-id.ts';
import { endOf, type OwnedShare, type Share } from './share.ts';

interface Deps {
  readonly metadata: Reads<'shares'>;
  readonly secrets: Pick<Secrets, 'sign' | 'unseal' | 'verify'>;
  readonly clock: Clock;
}

interface ListShares extends Reach {
  /** Only links to this file. */
  readonly object: ObjectAddress | undefined;
  /** Only links to files whose keys begin with this. */
  readonly prefix: string;
  /** Undefined: all of them on one page. */
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
}

/** The number of ids that are decrypted before other requests run, which takes some milliseconds. */
const idsAtOnce = 250;

/**
 * Returns the links of an account that are neither revoked nor expired and whose file exists, newest first. These are
 * all active ones, and the newest of those whose downloads are spent.
 *
 * @throws INVALID_OBJECT_PREFIX, INVALID_CONTINUATION_TOKEN
 */
export async function listShares({ metadata, secrets, clock }: Deps, command: ListShares): Promise<Page<OwnedShare>> {
  const { accountId, prefixes, object, prefix, limit = maxListedShares, cursor } = command;
  requireListPrefix(prefix);
  const behind = cursor === undefined ? undefined : parsePlace(secrets, cursor, command);
  const id = object && formatObjectId(object);
  const all = (await metadata.read.shares.listOf(accountId, clock.now(), maxListedShares)).filter(
    (share) =>
      (prefixes === null || coversKey(prefixes, share.object.key)) &&
      (id === undefined || formatObjectId(share.object) === id) &&
      share.object.key.startsWith(prefix) &&
      (behind === undefined || isBehind(share, behind)),
  );
  const { rows: shown, next } = pageOf(all, limit, (last) => formatPlace(secrets, last, command));
  const rows: OwnedShare[] = [];
  for (const [index, share] of shown.entries()) {
    if (index % idsAtOnce === idsAtOnce - 1) await nextTurn();
    const opens = openShareId(secrets, share);
    const { fileName, fileExpiresAt: expiresAt } = share;
    if (opens !== undefined) rows.push({ id: opens, share, fileName, endsAt: endOf(share, { expiresAt }) });
  }
  return { rows, next };
}

type Place = Pick<Share, 'createdAt' | 'idHash'>;

/** In the order of the list, which is newest first. */
function isBehind(share: Place, { createdAt, idHash }: Place): boolean {
  return share.createdAt < createdAt || (share.createdAt === createdAt && share.idHash < idHash);
}

const purpose = 'shares-cursor';

function bindingOf({ accountId, object, prefix }: ListShares) {
  return [accountId, object ? formatObjectId(object) : null, prefix];
}

/** The hash of an id opens no link. */
function formatPlace(secrets: Deps['secrets'], { createdAt, idHash }: Place, command: ListShares): string {
  const place = `${createdAt}-${Buffer.from(idHash).toString('base64url')}`;
  return signCursor(secrets, purpose, place, bindingOf(command));
}

function parsePlace(secrets: Deps['secrets'], cursor: string, command: ListShares): Place {
  const form = /^(\d{1,15})-([\w-]+)$/;
  const [, createdAt, idHash = ''] = verifyCursor(secrets, purpose, cursor, { form, binding: bindingOf(command) });
  return { createdAt: Number(createdAt), idHash: Buffer.from(idHash, 'base64url').toString() };
}
