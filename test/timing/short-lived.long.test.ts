import { afterAll, beforeAll, expect, it } from 'vitest';

import { getRequest, jsonRequest, statusesOf, uploadRequest } from '../../bench/load.ts';
import { uploadFile } from '#test/faults/client.ts';
import { spawnServer, type SpawnedServer } from '#test/faults/spawned-server.ts';
import { someBytes } from '#test/support/files.ts';

/**
 * What a request may leave among the objects that only a large garbage collection frees. A request creates 10 to 80 KB
 * of objects. When a tenth of them went there, it cost half as much processor time again, or twice as much.
 */
const boundBytes = 1_024;

/** Unmeasured: until code is compiled and V8 has enlarged the space for new objects, some become old by chance. */
const firstRequests = 15_000;
const requests = 3_000;

let server: SpawnedServer;
let targets: Readonly<Record<string, { readonly url: string; readonly request: (number: number) => Buffer }>>;
beforeAll(async () => {
  server = await spawnServer();
  const account = await server.account();
  const { credential } = account;
  const { id, url } = (await uploadFile(server, account, 'small', someBytes(4096))).json.response;
  const { base } = server.urls;
  const always = (at: string, bytes: Buffer) => ({ url: at, request: () => bytes });
  const info = `${base}/v1/objects/info?object=${id}`;
  targets = {
    Info: always(info, getRequest(info, credential)),
    'a list': always(`${base}/v1/objects`, getRequest(`${base}/v1/objects?limit=1`, credential)),
    'a public file': always(url, getRequest(url)),
    'a change': {
      url: base,
      request: (number) =>
        jsonRequest('PATCH', `${base}/v1/objects`, credential, { object: id, metadata: { number: `${number}` } }),
    },
    'an upload': {
      url: base,
      request: (number) => uploadRequest(base, credential, `file-${number % 100}`, someBytes(4096)),
    },
  };
});
afterAll(() => server?.remove());

// One after another in one server, because what V8 learns of one kind of request decides about all later ones.
it.each(['Info', 'a public file', 'a list', 'a change', 'an upload'])('%s leaves nothing behind', async (name) => {
  const { url, request } = targets[name]!;
  const send = async (count: number) => {
    const statuses = await statusesOf({ url, connections: 16, count, perSecond: undefined, request });
    expect([...statuses.keys()]).toEqual([200]);
  };
  await send(firstRequests);
  await server.watchCollections();
  await send(requests);
  expect((await server.promotedBytes()) / requests).toBeLessThan(boundBytes);
});
