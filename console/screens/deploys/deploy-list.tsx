import { listDeployments, type Deployment } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { href, navigate } from '../../app/router.ts';
import { hasScope } from '../../app/session-state.ts';
import { usePages } from '../../app/use-pages.ts';
import { words } from '../../app/words.ts';
import { Empty } from '../../ui/empty.tsx';
import { Menu } from '../../ui/menu.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePolling } from '../../ui/use-polling.ts';
import { cancelDeploy, redeploy } from './deploy-actions.tsx';
import { DeployState, isOpen } from './deploy-state.tsx';

const pageSize = 20;

/** The deploys of an application. While one has not ended, the list is read again and again. */
export function DeployList({ appId }: { readonly appId: string }) {
  const text = words().deploys;
  const pages = usePages(
    async (cursor, signal) => {
      const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) };
      const page = await ask(listDeployments({ path: { app_id: appId }, query, signal }));
      return { items: page.deployments, next: page.continuationToken };
    },
    [appId],
  );
  const deploys = pages.items ?? [];
  usePolling(deploys.length <= pageSize && (deploys.length === 0 || deploys.some(isOpen)), 5000, pages.reload);
  const open = ({ id }: Deployment) => navigate(href(['deploys', appId, id]));
  return (
    <>
      {!pages.items && pages.error === undefined && <Skeleton />}
      {pages.items?.length === 0 && (
        <Empty icon="rocket" title={text.noDeploys}>
          <p>{text.noDeploysHint}</p>
          {hasScope('apps:deploy') && (
            <a class="button first" href={href(['deploys', appId, 'git'])}>
              {text.connect}
            </a>
          )}
        </Empty>
      )}
      {deploys.length > 0 && (
        <Table<Deployment>
          label={words().screens.deploys}
          rows={deploys}
          keyOf={({ id }) => id}
          columns={[
            {
              key: 'commit',
              title: text.commit,
              cell: (deploy) => (
                <a href={href(['deploys', appId, deploy.id])}>
                  <code>{deploy.commit.slice(0, 8)}</code> <bdi>{firstLine(deploy.message)}</bdi>
                </a>
              ),
            },
            { key: 'branch', title: text.branch, cell: ({ branch }) => <bdi class="branch">{branch}</bdi> },
            { key: 'state', title: text.state, cell: (deploy) => <DeployState deploy={deploy} /> },
            { key: 'at', title: text.queuedAt, cell: ({ created_at: at }) => <Time at={at} isRelative /> },
          ]}
          actions={(deploy) => (
            <Menu
              label={text.actionsOf(deploy.commit.slice(0, 8))}
              items={[
                { label: text.output, icon: 'text', onChoose: () => open(deploy) },
                ...(hasScope('apps:deploy')
                  ? [
                      {
                        label: text.redeploy,
                        icon: 'refresh' as const,
                        onChoose: () => void redeploy(appId, deploy).then((made) => made && pages.reload()),
                      },
                    ]
                  : []),
                ...(hasScope('apps:deploy') && isOpen(deploy)
                  ? [
                      {
                        label: text.cancel,
                        icon: 'close' as const,
                        isDangerous: true,
                        onChoose: () => void cancelDeploy(appId, deploy).then((changed) => changed && pages.reload()),
                      },
                    ]
                  : []),
              ]}
            />
          )}
        />
      )}
      <More pages={pages} />
    </>
  );
}

export function firstLine(message: string | null): string {
  return (message ?? '').split('\n', 1)[0]!;
}
