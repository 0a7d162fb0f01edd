import { listShareFiles, type Share } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { usePages } from '../../app/use-pages.ts';
import { words } from '../../app/words.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { LinkCard } from '../../objects/link-card.tsx';
import { plainText } from '../../objects/plain-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ShareTarget, StateBadge } from './share-cells.tsx';

/** All about a link, and the files that it leads to at the moment. */
export function DetailsDialog({ share, close }: { readonly share: Share; readonly close: () => void }) {
  const { shares, common } = words();
  return (
    <Dialog
      title={shares.details}
      isWide
      onClose={close}
      actions={
        <Button kind="first" onClick={close}>
          {common.close}
        </Button>
      }
    >
      <LinkCard url={share.url} />
      <dl class="facts">
        <dt>{shares.of}</dt>
        <dd>
          <ShareTarget share={share} />
          {share.kind === 'folder' && <p class="hint">{shares.whole}</p>}
        </dd>
        <dt>{shares.state}</dt>
        <dd>
          <StateBadge share={share} />
        </dd>
        <dt>{shares.downloads}</dt>
        <dd>
          {share.max_downloads === null
            ? `${formatNumber(share.downloads)} (${shares.noCap})`
            : shares.downloadsOf(formatNumber(share.downloads), formatNumber(share.max_downloads))}
        </dd>
        {share.remaining_downloads !== null && (
          <>
            <dt>{shares.left}</dt>
            <dd>{formatNumber(share.remaining_downloads)}</dd>
          </>
        )}
        <dt>{shares.password}</dt>
        <dd>{share.password ? shares.hasPassword : shares.noPassword}</dd>
        <dt>{shares.page}</dt>
        <dd>{share.landing ? shares.pageShown : shares.pageNone}</dd>
        {share.title !== undefined && (
          <>
            <dt>{shares.title}</dt>
            <dd>
              <bdi>{plainText(share.title)}</bdi>
            </dd>
          </>
        )}
        {share.message !== undefined && (
          <>
            <dt>{shares.message}</dt>
            <dd class="lines">
              <bdi>{plainText(share.message)}</bdi>
            </dd>
          </>
        )}
        <dt>{shares.created}</dt>
        <dd>
          <Time at={share.created_at} />
        </dd>
        <dt>{shares.ends}</dt>
        <dd>
          <Time at={share.expires_at} />
        </dd>
      </dl>
      {share.kind !== 'file' && <BundleFiles id={share.id} />}
    </Dialog>
  );
}

function BundleFiles({ id }: { readonly id: string }) {
  const { shares } = words();
  const pages = usePages(
    async (cursor, signal) => {
      const query = { id, limit: 100, ...(cursor !== undefined && { cursor }) };
      const page = await ask(listShareFiles({ query, signal }));
      return {
        items: page.files.map((file) => ({ file, total: page.total, size: page.size })),
        next: page.continuationToken,
      };
    },
    [id],
  );
  const first = pages.items?.[0];
  return (
    <section class="share-files">
      <h3>{shares.filesTitle}</h3>
      {first && <p class="hint">{shares.filesTotal(formatNumber(first.total), formatSize(first.size))}</p>}
      {pages.items === undefined && pages.error === undefined && <Skeleton />}
      {pages.items?.length === 0 && <p class="quiet">{shares.filesNone}</p>}
      {first && (
        <Table
          label={shares.filesTitle}
          rows={pages.items!}
          keyOf={({ file }) => file.object}
          columns={[
            { key: 'name', title: words().trash.file, cell: ({ file }) => <bdi>{plainText(file.name)}</bdi> },
            { key: 'size', title: words().trash.size, isNumber: true, cell: ({ file }) => formatSize(file.size) },
          ]}
        />
      )}
      <More pages={pages} />
    </section>
  );
}
