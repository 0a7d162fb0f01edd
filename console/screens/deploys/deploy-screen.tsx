import { getCurrentDeployment, listDeployments, type App, type Deployment } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { href, navigate } from '../../app/router.ts';
import { hasScope } from '../../app/session-state.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Time } from '../../ui/time.tsx';
import { usePolling } from '../../ui/use-polling.ts';
import { cancelDeploy, redeploy } from './deploy-actions.tsx';
import { DeployLog } from './deploy-log.tsx';
import { DeployState, isOpen } from './deploy-state.tsx';

/** One deploy, with its output. */
export function DeployScreen({ app, id: deployId }: { readonly app: App; readonly id: string }) {
  const text = messages().deploys;
  const appId = app.id;
  const found = useResource((signal) => findDeploy(appId, deployId, signal), [appId, deployId]);
  const deploy = found.data ?? undefined;
  usePolling(deploy !== undefined && isOpen(deploy), 3000, found.reload);
  return (
    <Screen
      title={deploy ? text.deployOf(deploy.commit.slice(0, 8)) : text.deploy}
      lead={
        <>
          <a href={href(['deploys'])}>{messages().screens.deploys}</a> ·{' '}
          <a href={href(['deploys', appId])}>
            <bdi>{app.built_in ? messages().apps.builtIn : app.name}</bdi>
          </a>
        </>
      }
      actions={deploy && hasScope('apps:deploy') && <Actions appId={appId} deploy={deploy} onCancel={found.set} />}
    >
      <Loaded resource={found}>
        {(known) =>
          known === null ? (
            <Empty icon="rocket" title={text.noSuchDeploy} />
          ) : (
            <div class="stack">
              <section class="card">
                <Facts
                  rows={[
                    [text.state, <DeployState deploy={known} />],
                    [text.branch, <bdi>{known.branch}</bdi>],
                    [text.commit, <code>{known.commit}</code>],
                    [text.message, known.message !== null && <bdi class="commit-message">{known.message}</bdi>],
                    [text.queuedAt, <Time at={known.created_at} />],
                    [text.changedAt, <Time at={known.updated_at} />],
                  ]}
                />
              </section>
              <DeployLog appId={appId} deployId={deployId} isOpen={isOpen(known)} onEnd={found.reload} />
            </div>
          )
        }
      </Loaded>
    </Screen>
  );
}

function Actions({
  appId,
  deploy,
  onCancel,
}: {
  readonly appId: string;
  readonly deploy: Deployment;
  readonly onCancel: (deploy: Deployment) => void;
}) {
  const text = messages().deploys;
  return (
    <>
      {isOpen(deploy) && (
        <Button
          icon="close"
          onClick={() => void cancelDeploy(appId, deploy).then((changed) => changed && onCancel(changed))}
        >
          {text.cancel}
        </Button>
      )}
      <Button
        icon="refresh"
        onClick={() => void redeploy(appId, deploy).then((made) => made && navigate(href(['deploys', appId, made.id])))}
      >
        {text.redeploy}
      </Button>
    </>
  );
}

/** Most deploys that are opened are the newest, or on one of the first pages. Null if there is none. */
async function findDeploy(appId: string, deployId: string, signal: AbortSignal): Promise<Deployment | null> {
  const path = { app_id: appId };
  const { last } = await ask(getCurrentDeployment({ path, signal }));
  if (last?.id === deployId) return last;
  let cursor: string | undefined;
  do {
    const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
    const page = await ask(listDeployments({ path, query, signal }));
    const found = page.deployments.find(({ id }) => id === deployId);
    if (found) return found;
    cursor = page.continuationToken;
  } while (cursor !== undefined);
  return null;
}
