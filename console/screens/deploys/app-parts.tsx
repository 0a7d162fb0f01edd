import './deploys.css';

import { messages } from '../../app/messages.ts';
import type { AppPart } from '../apps/app-part.ts';
import { CommitStatusCard } from './commit-status.tsx';
import { DeployFiltersCard } from './deploy-filters.tsx';
import { DeployHookCard } from './deploy-hook.tsx';
import { DeployList } from './deploy-list.tsx';
import { DeployScreen } from './deploy-screen.tsx';
import { GitWebhookCard } from './git-webhook.tsx';

/** The deploys of an application, and what starts them. */
export const deployParts: readonly AppPart[] = [
  {
    feature: 'deploys',
    name: 'deploys',
    title: () => messages().deploys.deploys,
    lead: () => messages().deploys.lead,
    Content: DeployList,
    item: { prefix: 'dep_', Content: DeployScreen },
  },
  { feature: 'deploys', name: 'git', title: () => messages().deploys.connection, Content: GitConnection },
];

function GitConnection({ appId }: { readonly appId: string }) {
  return (
    <div class="stack">
      <GitWebhookCard appId={appId} />
      <DeployFiltersCard appId={appId} />
      <DeployHookCard appId={appId} />
      <CommitStatusCard appId={appId} />
    </div>
  );
}
