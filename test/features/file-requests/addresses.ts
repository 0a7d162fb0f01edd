import type { Addresses } from '#test/support/addresses.ts';
import { createRequest } from '#test/support/file-requests.ts';
import { openedUpload } from '#test/support/sent-uploads.ts';

export const open: Addresses['open'] = async ({ server, account }) => {
  const request = await createRequest(server, account);
  const sent = await openedUpload(server, request, { size: 3000 });
  return {
    '/r/{request_token}': { addresses: [request.path] },
    '/r/{request_token}/password': { addresses: [`${request.path}/password`] },
    '/r/{request_token}/sent': { addresses: [`${request.path}/sent`] },
    '/r/{request_token}/receipt': { addresses: [`${request.path}/receipt`] },
    '/r/{request_token}/uploads': { addresses: [`${request.path}/uploads`] },
    '/r/{request_token}/uploads/{upload}': { addresses: [sent.path], headers: { Cookie: sent.cookie } },
  };
};

export const takingBodies: Addresses['takingBodies'] = async ({ server, account }) => {
  const { path } = await createRequest(server, account);
  return { submitRequestPassword: `${path}/password`, submitFiles: path, startSentUpload: `${path}/uploads` };
};

export const streaming: Addresses['streaming'] = ['submitFiles'];

export const secret: Addresses['secret'] = {
  async 'of a file request'({ server, account }) {
    const { url } = await createRequest(server, account);
    return [url.split('/').at(-1)!, async () => url];
  },
};
