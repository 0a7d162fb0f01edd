import { builtInAppId } from '#server/features/apps/app.ts';
import { lastPart, made, type Home, type Mocked } from '#test/mocks/example-home.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';

const repository = 'https://git.invalid/acme/shop.git';

const ofApp = ({ account }: Home) => `/v2/apps/${builtInAppId(account.id)}`;

async function newWebhook(home: Home): Promise<string | undefined> {
  return lastPart((await made(home, `${ofApp(home)}/deploy/webhook`, { access_token: 'token-of-the-host' }))?.webhook);
}

export const makers: Mocked['makers'] = {
  // The application itself is made elsewhere.
  async app_4x7k2m9q3v8n6tbw(home) {
    const { server, account, request } = home;
    const path = `${ofApp(home)}/deploy`;
    if (request.operation.endsWith('DeployHook')) await made(home, `${path}/hook`, { repository });
    if (request.operation.endsWith('CommitStatus')) {
      const body = JSON.stringify({ access_token: 'token-of-the-host', origin: 'https://git.invalid' });
      await server.send(`${path}/status`, { method: 'PUT', credential: account.credential, body });
    }
    return undefined;
  },
  'example-webhook-3kq9v7m2x4b8n6tw': newWebhook,
  'example-hook-6m2x8k4v9q3n7tbw': async (home) =>
    lastPart((await made(home, `${ofApp(home)}/deploy/hook`, { repository }))?.url),
  async dep_8m4k2x7q9v3n6tbw(home) {
    const hook = await newWebhook(home);
    await home.server.send(`/v2/git/webhook/${hook}`, { method: 'POST', ...deliveryOf('github') });
    return (await made(home, `${ofApp(home)}/deployments`))?.deployments[0]?.id;
  },
};

/** The time between two pushes of a webhook. */
const pushWindowMs = 15_000;

export const fillLists: Mocked['fillLists'] = {
  async listDeployments(home) {
    const { server } = home;
    const hook = await newWebhook(home);
    for (const branch of ['first', 'second']) {
      const { body, headers } = deliveryOf('github', 'push', { branch });
      await server.send(`/v2/git/webhook/${hook}`, { method: 'POST', headers, body });
      server.clock.advance(pushWindowMs);
    }
  },
};

export const notFound: Mocked['notFound'] = [
  'DEPLOYMENT_NOT_FOUND',
  'DEPLOY_HOOK_NOT_FOUND',
  'COMMIT_STATUS_NOT_FOUND',
];

export const lists: Mocked['lists'] = ['getDeploymentLogs'];

export const differences: Mocked['differences'] = [
  {
    codes: ['DEPLOY_HOOK_NOT_FOUND'],
    operations: ['startHookDeploy'],
    later: 'any',
    why: 'The server looks the hook up before it reads the body. Every hook of the mock exists.',
  },
];
