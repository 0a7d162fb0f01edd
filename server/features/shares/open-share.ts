import type { Content } from '#server/domain/contents/table.ts';
import type { StoredObject } from '#server/features/files/object.ts';
import { isAtPublicUrl } from '#server/features/files/public-url.ts';
import { withContent } from '#server/features/files/with-content.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { hasDownload, resumable } from './byte-budget.ts';
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

/** A link to several files. They are looked up when they are needed. */
interface OpenedBundle {
  readonly share: Share;
  readonly object: undefined;
}

/**
 * Opens a link for a downloader. Spends nothing. An exhausted link opens for a downloader who has bytes left of a spent
 * download.
 *
 * @throws SHARE_NOT_FOUND when it is unknown or revoked, or its file is gone. The cases look the same
 * @throws SHARE_EXPIRED, SHARE_EXHAUSTED
 * @throws SHARE_PASSWORD_REQUIRED unless the password was given
 */
export async function openShare(deps: Deps, opening: OpenShare): Promise<OpenedShare | OpenedBundle> {
  let admitted: Admitted | OpenedBundle | undefined = await admit(deps, opening);
  if (!admitted.object) return admitted;
  const opened = await withContent(deps, async () => {
    const found = admitted ?? (await admit(deps, opening));
    admitted = undefined;
    // A link to a file stays one.
    return found as Admitted;
  });
  return { ...opened, isPublic: await isAtPublicUrl(deps, opened.object) };
}

type Admitted = Pick<OpenedShare, 'share' | 'object'>;

async function admit(deps: Deps, { shareId, downloader, pass, isRobot }: OpenShare): Promise<Admitted | OpenedBundle> {
  const { secrets, clock } = deps;
  const found = await findShare(deps, shareId);
  if (!found) throw new Refusal('SHARE_NOT_FOUND');
  const { share, state, object } = found;
  const refusal = shareRefusals[state];
  const goesOn = state === 'exhausted' && (await mayGoOn(deps, found, downloader));
  if (refusal !== undefined && !goesOn) throw new Refusal(refusal);
  const isLocked =
    share.passwordHash !== null &&
    !(
      pass !== undefined &&
      isSharePassFor(secrets, { id: shareId, passwordHash: share.passwordHash }, pass, clock.now())
    );
  if (isLocked && !isRobot) throw new Refusal('SHARE_PASSWORD_REQUIRED');
  // Only a bundle has a state without a file.
  return object ? { share, object } : { share, object };
}

/** Whether a downloader has bytes left. For a bundle, the request decides later of which of its downloads. */
async function mayGoOn(
  deps: Deps,
  { share: { idHash }, object }: { readonly share: Share; readonly object: StoredObject | undefined },
  downloader: Downloader,
): Promise<boolean> {
  if (!object) return hasDownload(deps, { idHash, downloader });
  const { shares } = deps.metadata.read;
  return (await shares.openDownload(resumable(idHash, downloader, object.contentId, deps.clock.now()))) !== undefined;
}
