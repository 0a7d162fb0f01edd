import { listPrefix, long, odd, prefix, takes, title, type World } from '#test/contract/bad-input/odd.ts';
import type { RequestFields } from '#test/contract/bad-input/request-fields.ts';
import { createRequest } from '#test/support/file-requests.ts';

const idOf = ({ once }: World) =>
  once('file request', async ({ server, account }) => (await createRequest(server, account)).id);
const fileRequestId = takes(idOf);
const note = odd([' \n '], ['a\nb', long(2000)]);
const fileRequest = {
  title,
  note,
  deadline: odd(['', 'now', '2026-02-30T00:00:00Z', '2001-01-01T00:00:00Z', '9999-01-01T00:00:00Z'], []),
  allowed_extensions: takes(['pdf']),
  'allowed_extensions/*': takes('tar.gz'),
  password: takes('eight888'),
};

export const sent: RequestFields['sent'] = {
  createFileRequest: { beside: () => ({ title: 'Photos', prefix: 'inbox' }), fields: { prefix, ...fileRequest } },
  listFileRequests: { fields: { id: fileRequestId, prefix: listPrefix } },
  updateFileRequest: {
    beside: async (world) => ({ id: await idOf(world), grace: 60 }),
    fields: {
      id: fileRequestId,
      ...fileRequest,
      note: odd(note.bad, [...note.good, null]),
      deadline: odd(fileRequest.deadline.bad, [null]),
      allowed_extensions: takes(['pdf'], null),
      password: takes('eight888', null),
    },
  },
  deleteFileRequest: { fields: { id: fileRequestId } },
};

export const elsewhere: RequestFields['elsewhere'] = [
  'openFileRequest',
  'submitFiles',
  'startSentUpload',
  'submitRequestPassword',
  'showSentFiles',
  'getSentReceipt',
];

export const whole: RequestFields['whole'] = {
  createFileRequest: { title: 'Photos', prefix: 'party', max_files: 3 },
  updateFileRequest: { id: 'ExampleRequest0000000001', max_files: 3 },
};

export const secret: RequestFields['secret'] = [
  'createFileRequest body/password',
  'submitRequestPassword body/password',
  'updateFileRequest body/password',
];
