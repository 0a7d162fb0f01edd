import type { Content } from '../objects/contents-table.ts';
import type { StoredObject } from '../objects/object.ts';
import { isAtPublicUrl } from '../objects/public-url.ts';
import { withContent } from '../objects/with-content.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { Refusal } from '../refusal.ts';
import { resumable } from './allowance.ts';
import { findShare } from './find-share.ts';
import { isSharePassFor } from './share-pass.ts';
import { shareRefusals, type Share } from './share.ts';
import type { Downloader } from './table.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'contents' | 'objects' | 'shares'>;
  readonly secrets: Pick<Secrets, 'verify' | 'finders'>;
  readonly clock: Clock;
}

interface OpenShare {
  readonly shareId: string;
  readonly downloader: Downloader;
  /** The pass that the client got for the password. */
  readonly pass: string | undefined;
  /**
   * Whether the client is a robot that makes link previews. It opens a locked link without its password, but learns
   * nothing about the file.
   */
  readonly isRobot: boolean;
}

export interface OpenedShare {
  readonly share: Share;
  readonly object: StoredObject;
  readonly content: Content;
  /** Whether its public URL serves the file. */
  readonly isPublic: boolean;
}

/**
 * Opens a link for a downloader. Spends nothing. An exhausted link opens for a downloader who has bytes left of a spent
 * download.
 *
 * @throws SHARE_NOT_FOUND when it is unknown or revoked, or its file is gone. The cases look the same
 * @throws SHARE_EXPIRED, SHARE_EXHAUSTED
 * @throws SHARE_PASSWORD_REQUIRED unless the password was given
 */
export async function openShare(deps: Deps, opening: OpenShare): Promise<OpenedShare> {
  const opened = await withContent(deps, () => admit(deps, opening));
  return { ...opened, isPublic: await isAtPublicUrl(deps, opened.object) };
}

async function admit(
  deps: Deps,
  { shareId, downloader, pass, isRobot }: OpenShare,
): Promise<Pick<OpenedShare, 'share' | 'object'>> {
  const { metadata, secrets, clock } = deps;
  const found = await findShare(deps, shareId);
  if (!found?.object) throw new Refusal('SHARE_NOT_FOUND');
  const { share, state, object } = found;
  const refusal = shareRefusals[state];
  const goesOn =
    state === 'exhausted' &&
    (await metadata.read.shares.openDownload(resumable(share.idHash, downloader, object.contentId, clock.now()))) !==
      undefined;
  if (refusal !== undefined && !goesOn) throw new Refusal(refusal);
  const isLocked =
    share.passwordHash !== null &&
    !(
      pass !== undefined &&
      isSharePassFor(secrets, { id: shareId, passwordHash: share.passwordHash }, pass, clock.now())
    );
  if (isLocked && !isRobot) throw new Refusal('SHARE_PASSWORD_REQUIRED');
  return { share, object };
}
