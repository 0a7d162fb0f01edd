import { afterAll, beforeAll, expect, it } from 'vitest';

import { createApp } from '#server/features/apps/create-app.ts';
import { endDeploy } from '#server/features/deploys/end-deploy.ts';
import { takeDeploy } from '#server/features/deploys/take-deploy.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { toldEvents, typesOf } from '#test/support/told-events.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

const { json, eventsOf } = toldEvents(() => server);

it('events tell of deploys: queued, started and ended', async () => {
  const account = await server.account();
  const { stores } = server.running.app;
  const app = (await createApp(stores, { accountId: account.id, name: 'shop' }))!;
  const set = await json('POST', `/v2/apps/${app.id}/deploy/webhook`, account, { access_token: 'token' });
  const path = new URL(set.json().response.webhook).pathname;
  const events = await eventsOf(account, async () => {
    await server.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-github-event': 'push' },
      body: JSON.stringify({
        ref: 'refs/heads/main',
        before: '0'.repeat(40),
        after: 'a'.repeat(40),
        repository: { clone_url: 'https://example.com/a.git' },
        head_commit: { id: 'a'.repeat(40), message: 'Change' },
      }),
    });
    const { deploy } = await takeDeploy(stores);
    await endDeploy(stores, deploy!, 'success');
  });
  expect(typesOf(events)).toEqual(['deploy.queued', 'deploy.started', 'deploy.ended']);
  expect(events[2]!.data.deploy).toMatchObject({ app_id: app.id, branch: 'main', state: 'success' });
});
