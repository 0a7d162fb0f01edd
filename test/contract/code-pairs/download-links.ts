import { someBytes, upload } from '#test/support/files.ts';
import type { TestAnswer, TestRequest, TestServer } from '#test/support/server.ts';
import { imagePairs } from './image-variants.ts';
import { tooOften, type PairsOf, type Provocation } from './provocation.ts';

function getLink(server: TestServer, credential: string, object: string, query = ''): Promise<TestAnswer> {
  return server.send(`/v1/objects/download?object=${object}${query}`, { credential });
}

function linkWith(query: string): Provocation {
  return async ({ server }) => {
    const account = await server.account();
    const { id } = (await upload(server, account)).json().response;
    return getLink(server, account.credential, id, query);
  };
}

/** Makes a link to a private file that is large enough for the blob store. Returns a function that opens it. */
async function link(server: TestServer): Promise<(headers?: TestRequest['headers']) => Promise<TestAnswer>> {
  const account = await server.account();
  const { id } = (await upload(server, account, { bytes: someBytes(50_000), query: { private: 'true' } })).json()
    .response;
  const { url } = (await getLink(server, account.credential, id, '&redirect=false')).json().response;
  return (headers = {}) => server.send(new URL(url).pathname, { door: 'files', headers });
}

export const getDownloadLink: PairsOf<'getDownloadLink'> = {
  async INVALID_OBJECT({ server }) {
    return getLink(server, (await server.account()).credential, 'pub/204815162342108999/of-another-account.png');
  },
  INVALID_DOWNLOAD_EXPIRES: linkWith('&expires=59'),
  INVALID_REDIRECT: linkWith('&redirect=maybe'),
  INVALID_OBJECT_DISPOSITION: linkWith('&disposition=show'),
  BLOCKED_FILE_TYPE: linkWith('&filename=setup.exe'),
  INVALID_FILENAME: linkWith('&filename=..%2F'),
  ACCESS_DENIED: ({ server }) => getLink(server, 'cbk_unknown', 'pub/204815162342108999/a.png'),
  async MISSING_SCOPE({ server }) {
    const account = await server.account();
    return getLink(server, await server.key(account, { scopes: ['blob:write'] }), `pub/${account.id}/a.png`);
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const account = await server.account();
    const credential = await server.key(account, { scopes: ['blob:read'], prefixes: ['invoices'] });
    return getLink(server, credential, `pub/${account.id}/photos/a.png`);
  },
  async OBJECT_NOT_FOUND({ server }) {
    const account = await server.account();
    return getLink(server, account.credential, `pub/${account.id}/missing.png`);
  },
  RATE_LIMITED: tooOften((server, { id, credential }) => getLink(server, credential, `pub/${id}/missing.png`)),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    return faults.unexpected('objects.find', () => getLink(server, account.credential, `pub/${account.id}/a.png`));
  },
};

export const openDownloadLink: PairsOf<'openDownloadLink'> = {
  ...imagePairs(async (server, account, bytes) => {
    const { id } = (await upload(server, account, { bytes, query: { private: 'true' } })).json().response;
    const { url } = (await getLink(server, account.credential, id, '&redirect=false')).json().response;
    return { door: 'files', path: new URL(url).pathname };
  }),
  LINK_NOT_FOUND: ({ server }) => server.send('/d/forged.token', { door: 'files' }),
  async PRECONDITION_FAILED({ server }) {
    return (await link(server))({ 'If-Match': '"another"' });
  },
  async RANGE_NOT_SATISFIABLE({ server }) {
    return (await link(server))({ Range: 'bytes=50000-' });
  },
  async RATE_LIMITED({ limited }) {
    const open = await link(limited);
    for (let request = 0; request < 60; request++) await open({ Range: 'bytes=0-0' });
    return open();
  },
  async STORAGE_UNAVAILABLE({ server, faults }) {
    const open = await link(server);
    return faults.unavailable('blobs.open', () => open());
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const open = await link(server);
    return faults.unexpected('objects.find', () => open());
  },
};
