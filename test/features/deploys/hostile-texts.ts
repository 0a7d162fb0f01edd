import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

import { expect } from 'vitest';

import { createApp } from '#server/features/apps/create-app.ts';
import { endDeploy } from '#server/features/deploys/end-deploy.ts';
import { deployLogFile } from '#server/features/deploys/stores/filesystem/deploy-logs.ts';
import { takeDeploy } from '#server/features/deploys/take-deploy.ts';
import { hostile, short, terminal, type HostileTexts } from '#test/browser/hostile-texts.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';
import { gitHooks } from '#test/support/git-hooks.ts';

export const store: HostileTexts['store'] = async ({ server, account }) => {
  const { stores } = server.running.app;
  const hooks = gitHooks(server, account);
  const appId = (await createApp(stores, { accountId: account.id, name: short }))!.id;
  const made = await hooks.set(appId, { access_token: 'token-of-the-host' });
  const hook = new URL(made.json().response.webhook).pathname;
  await hooks.deliver({ hook }, deliveryOf('github', 'push', { message: terminal, branch: `"><img/src=x>` }));
  const deployId = (await hooks.deploysOf({ appId }))[0]!.id;
  const { deploy } = await takeDeploy(stores);
  const log = deployLogFile(server.dataDir, deployId);
  await mkdir(dirname(log), { recursive: true });
  await appendFile(log, `${terminal}\n${hostile}\n`);
  await endDeploy(stores, deploy!, 'failure');
  return [
    { path: `/deploys/${appId}` },
    { path: `/deploys/${appId}/git` },
    {
      path: `/deploys/${appId}/${deployId}`,
      // Without what a terminal would do.
      async look(page) {
        const output = page.getByRole('log');
        await expect.poll(() => output.textContent()).toContain(hostile);
        // eslint-disable-next-line no-control-regex
        expect(await output.textContent()).not.toMatch(/[\u001b\u009b\u202e]|javascript:globalThis.ran=1\u0007/);
      },
    },
  ];
};
