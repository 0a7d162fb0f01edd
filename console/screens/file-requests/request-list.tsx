import { listFileRequests, type FileRequest } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { href, navigate } from '../../app/router.ts';
import { hasScope } from '../../app/session-state.ts';
import { usePages } from '../../app/use-pages.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber, formatSize } from '../../format.ts';
import { plainText } from '../../ui/plain-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Listed } from '../../ui/listed.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useCreate } from '../../ui/use-create.tsx';
import { requestActions, type RequestActions } from './request-actions.tsx';
import { StateBadge } from './state-badge.tsx';

const states = ['open', 'closed', 'expired'] as const;

/** All file requests. `?state=` shows only those in one state. */
export function RequestList({ query }: { readonly query: URLSearchParams }) {
  const { fileRequests, screens } = messages();
  const state = states.find((one) => one === query.get('state'));
  const pages = usePages<FileRequest>(
    async (after, signal) => {
      const given = { limit: 100, ...(state !== undefined && { state }), ...after };
      const page = await ask(listFileRequests({ query: given, signal }));
      return { items: page.file_requests, next: page.continuationToken };
    },
    [state],
  );
  const actions = requestActions(pages.reload);
  const mayWrite = hasScope('blob:write');
  const createButton = useCreate('requests', mayWrite, { label: fileRequests.create, run: actions.create });
  const isEmpty = pages.items?.length === 0;
  return (
    <Screen title={screens.requests} lead={fileRequests.lead} actions={createButton('first')}>
      {(!isEmpty || state !== undefined) && (
        <div class="filters">
          <Segments
            label={fileRequests.filter}
            value={state ?? 'all'}
            options={(['all', ...states] as const).map((one) => [one, fileRequests.filters[one]] as const)}
            onChoose={(one) =>
              navigate(href(['requests'], { state: one === 'all' ? undefined : one }), { replace: true })
            }
          />
        </div>
      )}
      <Listed
        pages={pages}
        empty={
          state !== undefined ? (
            <Empty icon="inbox" title={fileRequests.nothingTitle} />
          ) : (
            <Empty icon="inbox" title={fileRequests.emptyTitle}>
              <p>{fileRequests.empty}</p>
              {createButton()}
            </Empty>
          )
        }
      >
        {(items) => <RequestTable rows={items} mayWrite={mayWrite} actions={actions} />}
      </Listed>
    </Screen>
  );
}

function RequestTable({
  rows,
  mayWrite,
  actions,
}: {
  readonly rows: readonly FileRequest[];
  readonly mayWrite: boolean;
  readonly actions: RequestActions;
}) {
  const { fileRequests, screens, shares } = messages();
  return (
    <Table
      label={screens.requests}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: fileRequests.name,
          cell: (request) => (
            <a href={href(['requests', request.id])}>
              <bdi>{plainText(request.title)}</bdi>
            </a>
          ),
        },
        { title: fileRequests.folder, cell: ({ prefix }) => <bdi>{prefix}/</bdi> },
        { title: fileRequests.state, cell: (request) => <StateBadge request={request} /> },
        {
          title: fileRequests.received,
          isNumber: true,
          cell: ({ files, bytes }) => fileRequests.receivedText(formatNumber(files), formatSize(bytes)),
        },
        { title: fileRequests.senders, isNumber: true, isExtra: true, cell: ({ senders }) => formatNumber(senders) },
        {
          title: fileRequests.deadline,
          cell: ({ deadline }) => (deadline === null ? fileRequests.noDeadline : <Time at={deadline} isRelative />),
        },
      ]}
      actions={(request) => (
        <>
          {request.url !== null && (
            <IconButton icon="copy" label={shares.copy} onClick={() => void copyText(request.url!)} />
          )}
          <Menu label={fileRequests.actions(plainText(request.title))} items={itemsOf(request, mayWrite, actions)} />
        </>
      )}
    />
  );
}

function itemsOf(request: FileRequest, mayWrite: boolean, actions: RequestActions): MenuItem[] {
  const { fileRequests, shares } = messages();
  return [
    { label: fileRequests.details, icon: 'info', onChoose: () => navigate(href(['requests', request.id])) },
    { label: shares.qr, icon: 'grid', onChoose: () => void actions.link(request) },
    ...(mayWrite
      ? ([
          { label: fileRequests.change, icon: 'edit', onChoose: () => void actions.change(request) },
          request.state === 'open'
            ? { label: fileRequests.close, icon: 'lock' as const, onChoose: () => void actions.close(request) }
            : { label: fileRequests.reopen, icon: 'inbox' as const, onChoose: () => void actions.reopen(request) },
          {
            label: fileRequests.delete,
            icon: 'trash',
            isDangerous: true,
            onChoose: () => void actions.remove(request),
          },
        ] as const)
      : []),
  ];
}
