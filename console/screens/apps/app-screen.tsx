import type { App } from '#dist/modules/client/index.js';

import { isOn } from '../../app/config.ts';
import { href } from '../../app/router.ts';
import { messages } from '../../app/messages.ts';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CommitStatusCard } from '../deploys/commit-status.tsx';
import { DeployFiltersCard } from '../deploys/deploy-filters.tsx';
import { DeployHookCard } from '../deploys/deploy-hook.tsx';
import { DeployList } from '../deploys/deploy-list.tsx';
import { EdgeErrors } from '../edge-errors/edge-errors.tsx';
import { GitWebhookCard } from '../deploys/git-webhook.tsx';

/** One application: its deploys, what starts them, and its errors at the edge. */
export function AppScreen({ app, tab }: { readonly app: App; readonly tab: string }) {
  const text = messages().deploys;
  const appId = app.id;
  return (
    <Screen
      title={<bdi>{app.built_in ? text.builtIn : app.name}</bdi>}
      lead={
        <>
          <a href={href(['deploys'])}>{messages().screens.deploys}</a> · <code>{appId}</code>
        </>
      }
    >
      <Tabs
        label={text.parts}
        current={tab}
        tabs={[
          { name: 'deploys', title: messages().screens.deploys, to: ['deploys', appId, 'deploys'] },
          { name: 'git', title: text.connection, to: ['deploys', appId, 'git'] },
          ...(isOn('edge-errors') ? [{ name: 'errors', title: text.errors, to: ['deploys', appId, 'errors'] }] : []),
        ]}
      />
      {tab === 'git' ? (
        <div class="stack">
          <GitWebhookCard appId={appId} />
          <DeployFiltersCard appId={appId} />
          <DeployHookCard appId={appId} />
          <CommitStatusCard appId={appId} />
        </div>
      ) : tab === 'errors' && isOn('edge-errors') ? (
        <EdgeErrors appId={appId} />
      ) : (
        <DeployList appId={appId} />
      )}
    </Screen>
  );
}
