import { someBytes, upload } from '#test/support/files.ts';
import type { TestAnswer, TestRequest, TestServer } from '#test/support/server.ts';
import { imagePairs } from './image-variants.ts';
import type { PairsOf } from './provocation.ts';

/** Uploads a file that is large enough for the blob store. Returns a function that fetches it. */
async function publicFile(server: TestServer): Promise<(headers?: TestRequest['headers']) => Promise<TestAnswer>> {
  const { url } = (await upload(server, await server.account(), { bytes: someBytes(50_000) })).json().response;
  return (headers = {}) => server.send(new URL(url).pathname, { door: 'public', headers });
}

export const getPublicFile: PairsOf<'getPublicFile'> = {
  ...imagePairs(async (server, account, bytes) => {
    const { url } = (await upload(server, account, { bytes })).json().response;
    return { door: 'public', path: new URL(url).pathname };
  }),
  FILE_NOT_FOUND: ({ server }) => server.send('/204815162342108999/missing.png', { door: 'public' }),
  async PRECONDITION_FAILED({ server }) {
    return (await publicFile(server))({ 'If-Match': '"another"' });
  },
  async RANGE_NOT_SATISFIABLE({ server }) {
    return (await publicFile(server))({ Range: 'bytes=50000-' });
  },
  async STORAGE_UNAVAILABLE({ server, faults }) {
    const fetched = await publicFile(server);
    return faults.unavailable('blobs.open', () => fetched());
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const fetched = await publicFile(server);
    return faults.unexpected('objects.find', () => fetched());
  },
};
