import { expect } from 'vitest';

import { schemaChecker } from '#mocks/schema-check.ts';
import { contract } from './contract.ts';
import type { TestAccount, TestServer } from './server.ts';

const schemas = schemaChecker(contract);

type Told = ReadonlyArray<{ readonly type: string; readonly data: any }>;

export const typesOf = (events: ReadonlyArray<{ type: string }>) => events.map(({ type }) => type);

/** Returns functions that change something and read the events of it. Each is checked against its schema. */
export function toldEvents(server: () => TestServer) {
  const json = (method: string, path: string, { credential }: Pick<TestAccount, 'credential'>, body: unknown) =>
    server().send(path, { method, credential, body: JSON.stringify(body) });

  async function page(account: TestAccount, cursor: string) {
    const path = `/v1/events?limit=1000&cursor=${cursor}`;
    const answer = await server().send(path, { credential: account.credential });
    const read = answer.json().response as { readonly events: Told; readonly cursor: string };
    for (const event of read.events) {
      const { schema } = contract.webhooks[event.type].post.requestBody.content['application/json'];
      expect(schemas(schema)(event), event.type).toEqual([]);
    }
    return read;
  }

  async function eventsOf(account: TestAccount, act: () => Promise<unknown>): Promise<Told> {
    const { cursor } = await page(account, 'latest');
    await act();
    return (await page(account, cursor)).events;
  }

  return { json, page, eventsOf };
}
