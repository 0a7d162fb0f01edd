import { listShareFiles, type Share } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { usePages } from '../../app/use-pages.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { LinkCard } from '../../ui/link-card.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Listed } from '../../ui/listed.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ShareTarget, StateBadge } from './share-cells.tsx';

/** All about a link, and the files that it leads to at the moment. */
export function DetailsDialog({ share, close }: { readonly share: Share; readonly close: () => void }) {
  const { shares, common } = messages();
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
      <Facts
        rows={[
          [
            shares.of,
            <>
              <ShareTarget share={share} />
              {share.kind === 'folder' && <p class="hint">{shares.whole}</p>}
            </>,
          ],
          [shares.state, <StateBadge share={share} />],
          [
            shares.downloads,
            share.max_downloads === null
              ? `${formatNumber(share.downloads)} (${shares.noCap})`
              : shares.downloadsOf(formatNumber(share.downloads), formatNumber(share.max_downloads)),
          ],
          [shares.left, share.remaining_downloads !== null && formatNumber(share.remaining_downloads)],
          [shares.password, share.password ? shares.hasPassword : shares.noPassword],
          [shares.page, share.landing ? shares.pageShown : shares.pageNone],
          [shares.title, share.title !== undefined && <bdi>{plainText(share.title)}</bdi>],
          [shares.message, share.message !== undefined && <bdi class="lines">{plainText(share.message)}</bdi>],
          [shares.created, <Time at={share.created_at} />],
          [shares.ends, <Time at={share.expires_at} />],
        ]}
      />
      {share.kind !== 'file' && <BundleFiles id={share.id} />}
    </Dialog>
  );
}

function BundleFiles({ id }: { readonly id: string }) {
  const { shares } = messages();
  const pages = usePages(
    async (after, signal) => {
      const query = { id, limit: 100, ...after };
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
      <Listed pages={pages} empty={<p class="quiet">{shares.filesNone}</p>}>
        {(rows) => (
          <Table
            label={shares.filesTitle}
            rows={rows}
            keyOf={({ file }) => file.object}
            columns={[
              { title: messages().trash.file, cell: ({ file }) => <bdi>{plainText(file.name)}</bdi> },
              { title: messages().trash.size, isNumber: true, cell: ({ file }) => formatSize(file.size) },
            ]}
          />
        )}
      </Listed>
    </section>
  );
}
