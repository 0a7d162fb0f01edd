import { inSteps } from '#server/domain/in-steps.ts';
import { failedAs } from '#server/domain/failed-as.ts';
import { spaces, type Space } from '#server/domain/object-id.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { requireListPrefix } from '#server/domain/prefixes.ts';
import { signCursor, verifyCursor } from '#server/domain/signed-cursor.ts';
import type { TrashedObject, TrashPlace } from '#server/features/files/trash-table.ts';

interface Deps {
  readonly metadata: Reads<'trash'>;
  readonly secrets: Pick<Secrets, 'sign' | 'verify'>;
  readonly clock: Clock;
}

interface TrashList {
  readonly accountId: string;
  /** Any leading part of a key. Empty for all keys. */
  readonly prefix: string;
}

interface ListTrash extends TrashList {
  /** 1 to 1000. */
  readonly limit: number;
  readonly cursor: string | undefined;
}

interface TrashListPage {
  readonly versions: readonly TrashedObject[];
  readonly next: string | undefined;
}

/** Behind a version of a space. */
interface Position extends TrashPlace {
  readonly space: Space;
}

/** Versions that are read in one step. Other requests run between steps. */
const stepVersions = 200;

/** The most versions whose time is over that one page skips. The job removes them soon. */
const mostSkipped = 1000;

/**
 * Reads one page of an account's trash: public, private, legacy, each in byte order of the keys, and the versions of a
 * key newest first.
 *
 * @throws INVALID_OBJECT_PREFIX, INVALID_CONTINUATION_TOKEN, LIST_FAILED
 */
export async function listTrash(deps: Deps, command: ListTrash): Promise<TrashListPage> {
  requireListPrefix(command.prefix);
  const start = command.cursor === undefined ? undefined : parsePosition(deps.secrets, command.cursor, command);
  return readPage(deps, command, start).catch(failedAs('LIST_FAILED'));
}

async function readPage(
  { metadata, secrets, clock }: Deps,
  command: ListTrash,
  start: Position | undefined,
): Promise<TrashListPage> {
  const { accountId, prefix, limit } = command;
  const now = clock.now();
  const versions: TrashedObject[] = [];
  let skipped = 0;
  let last = start;
  for (const space of spaces.slice(start ? spaces.indexOf(start.space) : 0)) {
    const first = space === start?.space ? start : undefined;
    const steps = inSteps<TrashedObject>(stepVersions, (behind, most) =>
      metadata.read.trash.scan({ accountId, space, prefix, behind: behind ?? first, limit: most }),
    );
    for await (const step of steps)
      for (const version of step) {
        if (versions.length === limit || skipped === mostSkipped)
          return { versions, next: formatPosition(secrets, last!, command) };
        if (version.purgeAt > now) versions.push(version);
        else skipped++;
        last = version;
      }
  }
  return { versions, next: undefined };
}

const purpose = 'trash-cursor';

function formatPosition(secrets: Pick<Secrets, 'sign'>, at: Position, { accountId, prefix }: TrashList): string {
  const key = Buffer.from(at.key).toString('base64url');
  const position = `${spaces.indexOf(at.space)}v${at.versionId}-${key}`;
  return signCursor(secrets, purpose, position, [accountId, prefix]);
}

/** @throws INVALID_CONTINUATION_TOKEN */
function parsePosition(secrets: Pick<Secrets, 'verify'>, cursor: string, { accountId, prefix }: TrashList): Position {
  const form = /^([012])v([0-9a-z]{1,100})-([\w-]+)$/;
  const parts = verifyCursor(secrets, purpose, cursor, { form, binding: [accountId, prefix] });
  const [, digit, versionId = '', key = ''] = parts;
  return { space: spaces[Number(digit)]!, versionId, key: Buffer.from(key, 'base64url').toString() };
}
