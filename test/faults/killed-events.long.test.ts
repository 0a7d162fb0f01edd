import { describe, expect, it, onTestFinished } from 'vitest';

import { someBytes } from '#test/support/files.ts';
import { startHookServer } from '#test/support/hook-server.ts';
import { ask, deleteFiles, uploadFile } from './client.ts';
import { spawnServer, type SpawnedServer } from './spawned-server.ts';

const rounds = process.env.CUBBY_TEST_LONG ? 20 : 3;

/** Later than the time that a process has for a delivery that it has taken. */
const laterMs = 60_000;

interface WireEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: { readonly id: string; readonly etag: string } };
}

describe('a server that is killed under load', { timeout: 300_000 }, () => {
  it('loses no event, delivers repeated ones under the same id, and keeps the order of each file', async () => {
    const hook = await startHookServer();
    let calls = 0;
    const seen = new Set<unknown>();
    // Every third delivery is slow. Every 15th event fails at first, and is repeated after 5 seconds.
    hook.answer = (res, { headers }) => {
      const isFirst = !seen.has(headers['webhook-id']);
      seen.add(headers['webhook-id']);
      calls++;
      const status = isFirst && seen.size % 15 === 0 ? 500 : 204;
      setTimeout(() => res.writeHead(status).end(), calls % 3 === 0 ? 20 : 0);
    };
    const env = { CUBBY_WEBHOOK_ALLOW_PRIVATE: 'on' };
    let server = await spawnServer({ env });
    onTestFinished(() => server.remove());
    const first = server;
    const account = await server.account();
    const { credential } = account;
    const webhook = await ask(`${server.urls.base}/v1/webhooks`, {
      method: 'POST',
      credential,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `http://127.0.0.1:${hook.port}/`, types: ['object.*'] }),
    });
    expect(webhook.status).toBe(201);
    /** What was acknowledged, by file. */
    const done = new Map<string, string[]>();
    const acknowledgements = () => [...done.values()].reduce((sum, { length }) => sum + length, 0);

    for (let round = 0; round < rounds; round++) {
      const loads = Array.from({ length: 6 }, (_, file) => load(server, file));
      const wanted = acknowledgements() + 40;
      await expect.poll(acknowledgements, { timeout: 60_000, interval: 2 }).toBeGreaterThanOrEqual(wanted);
      await server.kill();
      await Promise.all(loads);
      server = await spawnServer({ dataDir: first.dataDir, env, clockOffsetMs: (round + 1) * laterMs });
      const running = server;
      onTestFinished(() => running.kill());
    }

    /** Uploads, replaces and deletes one file, until the server is gone. */
    async function load(to: SpawnedServer, file: number): Promise<void> {
      const name = `file_${file}`;
      const id = `pub/${account.id}/${name}.png`;
      try {
        for (let step = 0; ; step++) {
          if (step % 4 === 3) {
            if ((await deleteFiles(to, account, [id])).status === 200) note(id, 'object.deleted');
          } else {
            const answer = await uploadFile(to, account, name, someBytes(), { overwrite: 'true' });
            if (answer.status === 200) note(id, answer.json.response.sha256);
          }
        }
      } catch {
        // It was killed. Nobody knows what became of the last request.
      }
    }

    function note(id: string, what: string): void {
      done.set(id, [...(done.get(id) ?? []), what]);
    }

    const events = await eventsOf(server, credential);
    for (const [id, acknowledged] of done) {
      const ofFile = events.filter(({ data }) => data.object.id === id);
      const told = ofFile.map(({ type, data }) => (type === 'object.deleted' ? type : (data.object as any).sha256));
      // Each acknowledged change has its event, in its order. A change whose response was cut off may have one too.
      let at = 0;
      for (const what of acknowledged) {
        at = told.indexOf(what, at) + 1;
        expect(at, `${what} of ${id}`).toBeGreaterThan(0);
      }
      expect(told.length - acknowledged.length).toBeLessThanOrEqual(rounds);
    }
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(events.length).toBeGreaterThan(rounds * 20);

    const delivered = () => new Set(hook.calls.map(({ headers }) => headers['webhook-id']));
    await expect.poll(() => delivered().size, { timeout: 90_000, interval: 200 }).toBe(events.length);
    const bodies = new Map<string, string>();
    const order = new Map<string, string[]>();
    for (const { headers, body } of hook.calls) {
      const id = headers['webhook-id'] as string;
      const text = JSON.stringify(body);
      expect(bodies.get(id) ?? text).toBe(text);
      const file = (body as WireEvent).data.object.id;
      if (!bodies.has(id)) order.set(file, [...(order.get(file) ?? []), id]);
      bodies.set(id, text);
    }
    for (const [file, ids] of order)
      expect(ids).toEqual(events.filter(({ data }) => data.object.id === file).map(({ id }) => id));
  });
});

async function eventsOf({ urls }: SpawnedServer, credential: string): Promise<WireEvent[]> {
  const all: WireEvent[] = [];
  for (let cursor = ''; ;) {
    const { json } = await ask(`${urls.base}/v1/events?limit=1000${cursor && `&cursor=${cursor}`}`, { credential });
    const { events } = json.response as { events: WireEvent[] };
    if (events.length === 0) return all.filter(({ type }) => type.startsWith('object.'));
    all.push(...events);
    cursor = json.response.cursor;
  }
}
