import type { Cases } from '#test/flows/cases.ts';
import { createRequest } from '#test/support/file-requests.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { announce, openedUpload, sendBytes } from '#test/support/sent-uploads.ts';
import type { TestAccount, TestServer } from '#test/support/server.ts';

const password = 'correct horse';

export const forms: Cases['forms'] = {
  submitFiles: async ({ server, account }) => ({
    door: 'files',
    path: (await createRequest(server, account)).path,
    fields: {},
  }),
  submitRequestPassword: async ({ server, account }) => ({
    door: 'files',
    path: `${(await createRequest(server, account, { password })).path}/password`,
    fields: { password },
  }),
};

/** Adds file requests like the one that an account has, until it has so many. */
async function fill(server: TestServer, account: TestAccount, places: number): Promise<void> {
  const { metadata } = server.running.app.stores;
  const filter = {
    accountId: account.id,
    id: undefined,
    state: undefined,
    prefix: '',
    within: null,
    behind: undefined,
  };
  const [request] = await metadata.read.fileRequests.listOf(filter, server.clock.now(), 1);
  await metadata.atomically(async (tx) => {
    const count = await tx.fileRequests.countOf(account.id);
    for (let at = count; at < places; at++)
      await tx.fileRequests.add({ ...request!, id: `${request!.id}-${at}`, linkHash: `${request!.linkHash}-${at}` });
  });
}

export const caps: Cases['caps'] = [
  {
    name: 'file requests',
    code: 'TOO_MANY_FILE_REQUESTS',
    cap: 1000,
    scopes: ['blob:write'],
    take: (credential, { server }) =>
      server.send('/v1/file-requests', {
        method: 'POST',
        credential,
        body: JSON.stringify({ title: 'Photos', prefix: 'party' }),
      }),
    fill,
  },
];

/** The sign that turns the direction of a text round, in whose place a name has a blank. */
const harmless = /\u202e/;

export const nameDoors: Cases['nameDoors'] = {
  'the form of a file request': {
    async send({ server, account }, filename) {
      const { path } = await createRequest(server, account);
      return server.send(path, { door: 'files', method: 'POST', body: formWith(someBytes(10), filename) });
    },
    harmless,
  },
  'an upload to a file request': {
    send: async ({ server, account }, filename) =>
      announce(server, await createRequest(server, account), { name: filename, size: 3 }),
    harmless,
  },
};

export const conditions: Cases['conditions'] = {
  submitFiles: 'refused',
  startSentUpload: 'refused',
  putSentBytes: 'refused',
  deleteSentUpload: 'no file',
  submitRequestPassword: 'no file',
  createFileRequest: 'no file',
  updateFileRequest: 'no file',
  deleteFileRequest: 'no file',
};

export const refusing: Cases['refusing'] = (server) => ({
  async submitFiles(account, headers) {
    const { path } = await createRequest(server, account);
    return server.send(path, { door: 'files', method: 'POST', headers, body: formWith(someBytes()) });
  },
  startSentUpload: async (account, headers) =>
    announce(server, await createRequest(server, account), { name: 'a.bin', size: 3 }, { headers }),
  async putSentBytes(account, headers) {
    const upload = await openedUpload(server, await createRequest(server, account), { size: 3 });
    return sendBytes(server, upload, 0, 'abc', { headers });
  },
});

export const byteLimits: Cases['byteLimits'] = {
  submitFiles: 'file-request-send; 32 sent-files',
  putSentBytes: 'file-request-upload; 32 sent-files',
};
