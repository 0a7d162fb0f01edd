import { listDeployments, type Deployment } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { href, navigate } from '../../app/router.ts';
import { hasScope } from '../../app/session-state.ts';
import { usePages } from '../../app/use-pages.ts';
import { messages } from '../../app/messages.ts';
import { Empty } from '../../ui/empty.tsx';
import { Listed } from '../../ui/listed.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePolling } from '../../ui/use-polling.ts';
import { cancelDeploy, redeploy } from './deploy-actions.tsx';
import { DeployState, isOpen } from './deploy-state.tsx';

const pageSize = 20;

/** The deploys of an application. While one has not ended, the list is read again and again. */
export function DeployList({ appId }: { readonly appId: string }) {
  const text = messages().deploys;
  const pages = usePages(
    async (after, signal) => {
      const query = { limit: pageSize, ...after };
      const page = await ask(listDeployments({ path: { app_id: appId }, query, signal }));
      return { items: page.deployments, next: page.continuationToken };
    },
    [appId],
  );
  const deploys = pages.items ?? [];
  usePolling(deploys.length <= pageSize && (deploys.length === 0 || deploys.some(isOpen)), 5000, pages.reload);
  return (
    <Listed
      pages={pages}
      empty={
        <Empty icon="rocket" title={text.noDeploys}>
          <p>{text.noDeploysHint}</p>
          {hasScope('apps:deploy') && (
            <a class="button first" href={href(['deploys', appId, 'git'])}>
              {text.connect}
            </a>
          )}
        </Empty>
      }
    >
      {(items) => <DeployTable appId={appId} deploys={items} onChange={pages.reload} />}
    </Listed>
  );
}

function firstLine(message: string | null): string {
  return (message ?? '').split('\n', 1)[0]!;
}

function DeployTable({
  appId,
  deploys,
  onChange,
}: {
  readonly appId: string;
  readonly deploys: readonly Deployment[];
  readonly onChange: () => void;
}) {
  const text = messages().deploys;
  const reloadIf = (changed: unknown) => void (changed && onChange());
  const itemsOf = (deploy: Deployment): MenuItem[] => {
    const output: MenuItem = {
      label: text.output,
      icon: 'text',
      onChoose: () => navigate(href(['deploys', appId, deploy.id])),
    };
    if (!hasScope('apps:deploy')) return [output];
    const again: MenuItem = {
      label: text.redeploy,
      icon: 'refresh',
      onChoose: () => void redeploy(appId, deploy).then(reloadIf),
    };
    if (!isOpen(deploy)) return [output, again];
    const onChoose = () => void cancelDeploy(appId, deploy).then(reloadIf);
    return [output, again, { label: text.cancel, icon: 'close', isDangerous: true, onChoose }];
  };
  return (
    <Table<Deployment>
      label={text.deploys}
      rows={deploys}
      keyOf={({ id }) => id}
      columns={[
        {
          title: text.commit,
          cell: (deploy) => (
            <a href={href(['deploys', appId, deploy.id])}>
              <code>{deploy.commit.slice(0, 8)}</code> <bdi>{firstLine(deploy.message)}</bdi>
            </a>
          ),
        },
        { title: text.branch, cell: ({ branch }) => <bdi class="branch">{branch}</bdi> },
        { title: text.state, cell: (deploy) => <DeployState deploy={deploy} /> },
        { title: text.queuedAt, cell: ({ created_at: at }) => <Time at={at} isRelative /> },
      ]}
      actions={(deploy) => <Menu label={text.actionsOf(deploy.commit.slice(0, 8))} items={itemsOf(deploy)} />}
    />
  );
}
