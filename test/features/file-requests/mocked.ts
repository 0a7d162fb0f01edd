import { keepCookies, lastPart, made, type Home, type Mocked } from '#test/mocks/example-home.ts';
import { sendFiles } from '#test/support/file-requests.ts';
import { announce } from '#test/support/sent-uploads.ts';

const terms = { title: 'Photos', prefix: 'party' };

const exampleLink = 'ExampleRequestLink00000001';

export const makers: Mocked['makers'] = {
  examplerequest0000000001: async (home) => (await made(home, '/v1/file-requests', terms))?.id,
  async [exampleLink](home) {
    const hasPassword = home.request.operation === 'submitRequestPassword';
    const body = { ...terms, ...(hasPassword && { password: 'example-password' }) };
    const link = lastPart((await made(home, '/v1/file-requests', body))?.url);
    if (link !== undefined && /Sent/.test(home.request.operation)) await sendAFile(home, link);
    return link;
  },
  // Without the link it is an upload of the account.
  async 'example-upload-0001'(home) {
    const link = home.given.get(exampleLink);
    return link === undefined ? undefined : announceAFile(home, link);
  },
};

/** Sends a file to a request, as the browser that the request comes from. */
async function sendAFile(home: Home, link: string): Promise<void> {
  keepCookies(home, await sendFiles(home.server, { path: `/r/${link}` }, [['beach.jpg', 'beach']]));
}

/** Announces a file to a request, as the same browser. Returns the id of its upload. */
async function announceAFile(home: Home, link: string): Promise<string> {
  const cookie = [...home.cookies].map((pair) => pair.join('=')).join('; ');
  const file = { name: 'beach.jpg', size: 12_582_912 };
  const opened = await announce(home.server, { path: `/r/${link}` }, file, cookie === '' ? {} : { cookie });
  keepCookies(home, opened);
  return opened.json().response.upload;
}

export const notFound: Mocked['notFound'] = ['FILE_REQUEST_NOT_FOUND', 'NOTHING_SENT'];

export const lists: Mocked['lists'] = ['listFileRequests'];

export const atOffsets: Mocked['atOffsets'] = ['putSentBytes'];

export const differences: Mocked['differences'] = [
  {
    codes: ['INVALID_FILE'],
    operations: ['submitFiles'],
    why: 'The form may have other parts. The mock reads none, so it does not miss the file.',
  },
  {
    codes: ['INVALID_CONTENT_TYPE'],
    operations: ['submitFiles'],
    why: 'The form is read once its page is found. The mock has no pages.',
  },
  {
    codes: ['FILE_REQUEST_NOT_FOUND'],
    operations: ['startSentUpload'],
    later: 'any',
    why: 'The server looks the page up before it reads the body. Every page of the mock exists.',
  },
];
