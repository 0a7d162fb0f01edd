import { pageOf, type Page, type PageRequest } from '#server/domain/page.ts';
import { sentPlaceMs } from './limits.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { requireListPrefix } from '#server/domain/prefixes.ts';
import { signCursor, verifyCursor } from '#server/domain/signed-cursor.ts';
import { stateOf, type OwnedFileRequest } from './file-request.ts';
import { nothingReserved } from './reserved-space.ts';
import { openLink } from './link.ts';
import type { FileRequestFilter, FileRequestPlace } from './table.ts';

interface Deps {
  readonly metadata: Reads<'fileRequests'>;
  readonly secrets: Pick<Secrets, 'sign' | 'unseal' | 'verify'>;
  readonly clock: Clock;
}

type ListFileRequests = Omit<FileRequestFilter, 'behind'> & PageRequest;

/**
 * Returns the file requests of an account, newest first.
 *
 * @throws INVALID_OBJECT_PREFIX, INVALID_CONTINUATION_TOKEN
 */
export async function listFileRequests(
  { metadata, secrets, clock }: Deps,
  command: ListFileRequests,
): Promise<Page<OwnedFileRequest>> {
  const { limit, cursor, prefix } = command;
  requireListPrefix(prefix);
  const behind = cursor === undefined ? undefined : parsePlace(secrets, cursor, command);
  const now = clock.now();
  const found = await metadata.read.fileRequests.listOf({ ...command, behind }, now, limit + 1);
  const { rows: shown, next } = pageOf(found, limit, (last) => formatPlace(secrets, last, command));
  const reserved = await metadata.read.fileRequests.underWayOf(
    shown.map(({ id }) => id),
    now - sentPlaceMs,
  );
  const rows = shown.flatMap((request) => {
    const link = openLink(secrets, request);
    if (link === undefined) return [];
    return [{ request, state: stateOf(request, now), link, reserved: reserved.get(request.id) ?? nothingReserved }];
  });
  return { rows, next };
}

const purpose = 'file-requests-cursor';

function bindingOf({ accountId, id, state, prefix }: ListFileRequests) {
  return [accountId, id ?? null, state ?? null, prefix];
}

function formatPlace(secrets: Deps['secrets'], { createdAt, id }: FileRequestPlace, command: ListFileRequests): string {
  return signCursor(secrets, purpose, `${createdAt}-${id}`, bindingOf(command));
}

function parsePlace(secrets: Deps['secrets'], cursor: string, command: ListFileRequests): FileRequestPlace {
  const form = /^(\d{1,15})-([\w-]+)$/;
  const [, createdAt, id = ''] = verifyCursor(secrets, purpose, cursor, { form, binding: bindingOf(command) });
  return { createdAt: Number(createdAt), id };
}
