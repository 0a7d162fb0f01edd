import { abortDeployment, runDeployment, type Deployment } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { messages } from '../../app/messages.ts';
import { confirm } from '../../ui/confirm.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Asks, and deploys the commit of an earlier deploy again. Resolves to the new deploy. */
export async function redeploy(appId: string, deploy: Deployment): Promise<Deployment | undefined> {
  const text = messages().deploys;
  let made: Deployment | undefined;
  await confirm({
    title: text.redeployTitle,
    text: text.redeployText(deploy.branch, deploy.commit.slice(0, 8)),
    action: text.redeploy,
    isDangerous: false,
    run: async () => {
      made = await ask(runDeployment({ path: { app_id: appId, id: deploy.id } }));
    },
  });
  if (made) toast(text.queued);
  return made;
}

/** Asks, and cancels a deploy. Resolves to the deploy as it is then. */
export async function cancelDeploy(appId: string, deploy: Deployment): Promise<Deployment | undefined> {
  const text = messages().deploys;
  let changed: Deployment | undefined;
  await confirm({
    title: text.cancelTitle,
    text: deploy.state === 'running' ? text.cancelRunning : text.cancelWaiting,
    action: text.cancel,
    run: async () => {
      changed = await ask(abortDeployment({ path: { app_id: appId, id: deploy.id } }));
    },
  });
  return changed;
}
