import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { BodyMemory } from '#server/http/body-memory.ts';
import { startGateway, type Gateway } from '#test/s3/gateway.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';
import { gitHooks } from '#test/support/git-hooks.ts';

let gateway: Gateway;
let bodies!: BodyMemory;
beforeAll(async () => void (gateway = await startGateway({ onBodies: (memory) => void (bodies = memory) })));
afterAll(() => gateway.stop());

describe('receiveGitPush() of a large push', () => {
  it('keeps only the fields that it needs', async () => {
    const { server, account } = gateway;
    const { hook } = await gitHooks(server, account).newHook();
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, bodies.bytesOf('caller'))), 1);
    const files = Array.from({ length: 60_000 }, (_unused, index) => `a folder/of a large push/file ${index}.txt`);
    const { headers, body: small } = deliveryOf('github');
    const body = JSON.stringify({ files, note: 'a'.repeat(3e6), ...JSON.parse(small) });
    expect(Buffer.byteLength(body)).toBeGreaterThan(5_000_000);
    const answer = await server.send(hook, { method: 'POST', headers, body });
    clearInterval(watch);
    expect(answer.status).toBe(200);
    expect(most).toBeLessThan(65_536);
  });
});
