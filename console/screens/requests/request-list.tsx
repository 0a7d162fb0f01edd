import { useEffect } from 'preact/hooks';

import { listFileRequests, type FileRequest } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { href, navigate } from '../../app/router.ts';
import { hasScope } from '../../app/session-state.ts';
import { usePages } from '../../app/use-pages.ts';
import { words } from '../../app/words.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { plainText } from '../../objects/plain-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { More } from '../../ui/more.tsx';
import { addCommands } from '../../ui/palette.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import { requestActions } from './request-actions.tsx';
import { StateBadge } from './state-badge.tsx';

const states = ['open', 'closed', 'expired'] as const;

/** All file requests. `?state=` shows only those in one state. */
export function RequestList({ query }: { readonly query: URLSearchParams }) {
  const { requests, screens, shares } = words();
  const state = states.find((one) => one === query.get('state'));
  const pages = usePages<FileRequest>(
    async (cursor, signal) => {
      const given = { limit: 100, ...(state !== undefined && { state }), ...(cursor !== undefined && { cursor }) };
      const page = await ask(listFileRequests({ query: given, signal }));
      return { items: page.file_requests, next: page.continuationToken };
    },
    [state],
  );
  const actions = requestActions(pages.reload);
  const mayWrite = hasScope('blob:write');
  useKeys(mayWrite ? { n: () => void actions.create() } : {});
  useEffect(
    () =>
      mayWrite
        ? addCommands('requests', [{ label: requests.create, icon: 'plus', run: () => void actions.create() }])
        : undefined,
    [requests, mayWrite],
  );
  const itemsOf = (request: FileRequest): MenuItem[] => [
    { label: requests.details, icon: 'info', onChoose: () => navigate(href(['requests', request.id])) },
    { label: shares.qr, icon: 'grid', onChoose: () => void actions.link(request) },
    ...(mayWrite
      ? ([
          { label: requests.change, icon: 'edit', onChoose: () => void actions.change(request) },
          request.state === 'open'
            ? { label: requests.close, icon: 'lock' as const, onChoose: () => void actions.close(request) }
            : { label: requests.reopen, icon: 'inbox' as const, onChoose: () => void actions.reopen(request) },
          { label: requests.delete, icon: 'trash', isDangerous: true, onChoose: () => void actions.remove(request) },
        ] as const)
      : []),
  ];
  const isEmpty = pages.items?.length === 0;
  return (
    <Screen
      title={screens.requests}
      lead={requests.lead}
      actions={
        mayWrite && (
          <Button kind="first" icon="plus" onClick={() => void actions.create()}>
            {requests.create}
          </Button>
        )
      }
    >
      {(!isEmpty || state !== undefined) && (
        <div class="filters">
          <Segments
            label={requests.filter}
            value={state ?? 'all'}
            options={(['all', ...states] as const).map((one) => [one, requests.filters[one]] as const)}
            onChoose={(one) =>
              navigate(href(['requests'], { state: one === 'all' ? undefined : one }), { replace: true })
            }
          />
        </div>
      )}
      {pages.items === undefined && pages.error === undefined && <Skeleton />}
      {isEmpty && state !== undefined && <Empty icon="inbox" title={requests.nothingTitle} />}
      {isEmpty && state === undefined && (
        <Empty icon="inbox" title={requests.emptyTitle}>
          <p>{requests.empty}</p>
          {mayWrite && (
            <Button icon="plus" onClick={() => void actions.create()}>
              {requests.create}
            </Button>
          )}
        </Empty>
      )}
      {pages.items && !isEmpty && (
        <Table
          label={screens.requests}
          rows={pages.items}
          keyOf={({ id }) => id}
          columns={[
            {
              key: 'name',
              title: requests.name,
              cell: (request) => (
                <a href={href(['requests', request.id])}>
                  <bdi>{plainText(request.title)}</bdi>
                </a>
              ),
            },
            { key: 'folder', title: requests.folder, cell: ({ prefix }) => <bdi>{prefix}/</bdi> },
            { key: 'state', title: requests.state, cell: (request) => <StateBadge request={request} /> },
            {
              key: 'received',
              title: requests.received,
              isNumber: true,
              cell: ({ files, bytes }) => requests.receivedText(formatNumber(files), formatSize(bytes)),
            },
            {
              key: 'senders',
              title: requests.senders,
              isNumber: true,
              isExtra: true,
              cell: ({ senders }) => formatNumber(senders),
            },
            {
              key: 'deadline',
              title: requests.deadline,
              cell: ({ deadline }) => (deadline === null ? requests.noDeadline : <Time at={deadline} isRelative />),
            },
          ]}
          actions={(request) => (
            <>
              {request.url !== null && (
                <IconButton icon="copy" label={shares.copy} onClick={() => void copyText(request.url!)} />
              )}
              <Menu label={requests.actions(plainText(request.title))} items={itemsOf(request)} />
            </>
          )}
        />
      )}
      <More pages={pages} />
    </Screen>
  );
}
