import type { Reach } from '#server/domain/access/requester.ts';
import { pageOf, type PageRequest } from '#server/domain/page.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { safePath } from './safe-names.ts';
import { servingOf } from '#server/features/files/serving.ts';
import { signCursor, verifyCursor } from '#server/domain/signed-cursor.ts';
import { bundleFiles, isFileOfBundle } from './bundle.ts';
import { findOwnShare } from './share-id.ts';
import { fileOf, shareTransitions, stateOf, type Share } from './share.ts';

interface Deps {
  readonly metadata: Reads<'bundles' | 'objects' | 'shares'>;
  readonly secrets: Pick<Secrets, 'finders' | 'sign' | 'verify'>;
  readonly clock: Clock;
}

interface ListShareFiles extends Reach, PageRequest {
  readonly shareId: string;
}

interface SharedFile {
  readonly objectId: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly createdAt: number;
}

interface ShareFilesPage {
  readonly files: readonly SharedFile[];
  /** Of all pages. */
  readonly total: number;
  readonly sizeBytes: number;
  readonly next: string | undefined;
}

/**
 * Lists the files that a link leads to now.
 *
 * @throws SHARE_NOT_FOUND when it is unknown, another account's, or has ended for good
 * @throws PREFIX_NOT_ALLOWED when its files are outside the prefixes
 * @throws BUNDLE_TOO_LARGE, INVALID_CONTINUATION_TOKEN
 */
export async function listShareFiles(deps: Deps, command: ListShareFiles): Promise<ShareFilesPage> {
  const { limit, cursor } = command;
  const { metadata, secrets } = deps;
  const share = await findOwnShare(metadata.read, secrets, command);
  const behind = cursor === undefined ? '' : parsePlace(secrets, cursor, share);
  const all = await filesOf(deps, share);
  // A file that was removed since the last page leaves a gap, and a new one is on the page of its place.
  const left = all.filter(({ order }) => order > behind);
  const { rows: files, next } = pageOf(left, limit, ({ order }) => formatPlace(secrets, order, share));
  return { files, total: all.length, sizeBytes: all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), next };
}

/** A file, and a text that grows from each file to the next. */
type OrderedFile = SharedFile & { readonly order: string };

async function filesOf(deps: Deps, share: Share): Promise<readonly OrderedFile[]> {
  const object = await fileOf(deps.metadata.read.objects, share);
  if (!shareTransitions[stateOf(share, object, deps.clock.now())].revoke) throw new Refusal('SHARE_NOT_FOUND');
  if (object) {
    const { sizeBytes, createdAt } = object;
    return [
      {
        objectId: formatObjectId(object),
        path: safePath(servingOf(object).filename),
        sizeBytes,
        createdAt,
        order: '1',
      },
    ];
  }
  return (await bundleFiles(deps, share)).filter(isFileOfBundle).map((file) => ({
    ...{ objectId: formatObjectId(file), path: file.path, sizeBytes: file.sizeBytes, createdAt: file.createdAt },
    order: file.number === null ? `${file.key}\u0000${file.space}` : String(file.number).padStart(4, '0'),
  }));
}

const purpose = 'share-files-cursor';

function formatPlace(secrets: Deps['secrets'], order: string, { idHash }: Share): string {
  return signCursor(secrets, purpose, Buffer.from(order).toString('base64url'), [idHash]);
}

function parsePlace(secrets: Deps['secrets'], cursor: string, { idHash }: Share): string {
  const [, place = ''] = verifyCursor(secrets, purpose, cursor, { form: /^([\w-]+)$/, binding: [idHash] });
  return Buffer.from(place, 'base64url').toString();
}
