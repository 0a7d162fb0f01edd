import { exampleFile, made, madeFile, type Mocked } from '#test/mocks/example-home.ts';

const exampleShare = 'ExampleShare00000000001';

export const makers: Mocked['makers'] = {
  async [exampleShare](home) {
    const object = await madeFile(home, exampleFile('shared.txt'));
    const { operation, method, body: form = '' } = home.request;
    // With another method it is a request for the file, for which the mock has a link without a password.
    const hasPassword = operation === 'submitSharePassword' && method === 'POST' && /password=/.test(form);
    const body = { object, ...(hasPassword && { password: 'example-password' }) };
    return (await made(home, '/v1/shares', body))?.id;
  },
};

export const fillLists: Mocked['fillLists'] = {
  async listShareFiles(home, query) {
    const objects = await Promise.all(
      ['first', 'second'].map((name) => madeFile(home, exampleFile(`shared/${name}.txt`))),
    );
    const id = (await made(home, '/v1/shares', { objects }))?.id ?? '';
    query.set('id', id);
    home.given.set(exampleShare, id);
  },
};

export const notFound: Mocked['notFound'] = ['SHARE_NOT_FOUND'];

export const lists: Mocked['lists'] = ['listShares', 'listShareFiles'];
