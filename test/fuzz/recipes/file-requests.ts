import { serverClock } from '../server-clock.ts';
import { draftOf } from '../contract-draft.ts';
import type { Draft } from '../draft.ts';
import type { Recipe, World } from '../world.ts';
import { formWithFile, someContent } from './content.ts';

/** Names a request of the account, or makes one. */
const ofOne =
  (operation: string, fields: (world: World) => Readonly<Record<string, unknown>> = () => ({})): Recipe =>
  (world) => {
    const id = world.some('fileRequest');
    return id === undefined ? create(world) : draftOf(world, operation, { fields: { ...fields(world), id } });
  };

function create(world: World, more: Readonly<Record<string, unknown>> = {}): Draft {
  return draftOf(world, 'createFileRequest', { fields: { ...terms(world), ...more } });
}

const terms = (world: World) => ({
  deadline: world.pick(undefined, new Date(serverClock.now() + 30 * 86_400_000).toISOString()),
  allowed_extensions: world.pick(undefined, ['txt', 'png']),
  max_bytes: undefined,
  max_size: undefined,
  password: undefined,
  sender_folders: world.pick(undefined, false),
});

/** A request at the page of a file request. */
const atPage =
  (operation: string, build: (world: World) => Partial<Draft> = () => ({})): Recipe =>
  (world) => {
    const link = world.some('requestLink');
    if (link === undefined) return create(world);
    return { ...draftOf(world, operation, { path: { request_token: link } }), ...build(world) };
  };

/** A page below, which needs the cookie of a sender. */
const asSender =
  (operation: string): Recipe =>
  (world) => {
    const link = world.some('sentLink');
    if (link === undefined) return fileRequests.submitFiles!(world);
    const headers = { Cookie: world.passwords.get(`sender ${link}`)! };
    return draftOf(world, operation, { path: { request_token: link }, headers });
  };

type SentBody = Pick<NonNullable<Parameters<typeof draftOf>[2]>, 'headers' | 'body'>;

/** A request about an upload of a sender. */
const ofSentUpload =
  (operation: string, build: (world: World) => SentBody = () => ({})): Recipe =>
  (world) => {
    const place = world.some('sentUpload');
    if (place === undefined) return fileRequests.startSentUpload!(world);
    const [link, upload] = place.split(' ') as [string, string];
    const { headers, ...body } = build(world);
    const Cookie = world.passwords.get(`upload ${place}`)!;
    return draftOf(world, operation, {
      path: { request_token: link, upload },
      headers: { ...headers, Cookie },
      ...body,
    });
  };

export const fileRequests: Readonly<Record<string, Recipe>> = {
  createFileRequest: (world) => create(world),
  updateFileRequest: ofOne('updateFileRequest', (world) => ({
    ...terms(world),
    state: world.pick(undefined, 'open'),
  })),
  deleteFileRequest: ofOne('deleteFileRequest'),
  listFileRequests: (world) =>
    draftOf(world, 'listFileRequests', {
      query: {
        id: undefined,
        limit: world.pick(undefined, 1, 2),
        cursor: world.random.chance(0.2) ? world.some('fileRequestCursor') : undefined,
        continuationToken: undefined,
      },
    }),
  openFileRequest: atPage('openFileRequest'),
  submitFiles: atPage('submitFiles', (world) => ({
    body: formWithFile(world, someContent(world), world.pick('a.txt', 'photo.png')),
  })),
  startSentUpload: (world) => {
    const link = world.some('requestLink');
    if (link === undefined) return create(world);
    const fields = { name: world.pick('a.txt', 'photos/b.txt'), size: world.pick(0, 3, 20_000), sender: undefined };
    return draftOf(world, 'startSentUpload', { path: { request_token: link }, fields });
  },
  getSentUpload: ofSentUpload('getSentUpload'),
  putSentBytes: ofSentUpload('putSentBytes', (world) => ({
    headers: { 'Upload-Offset': world.pick('0', '0', '3') },
    body: { kind: 'bytes', bytes: Buffer.from(world.pick('abc', 'a')), type: 'application/partial-upload' },
  })),
  deleteSentUpload: ofSentUpload('deleteSentUpload'),
  submitRequestPassword: (world) => {
    const link = world.some('lockedRequest');
    if (link === undefined) {
      const password = `pass-${world.random.text('abc', 6)}`;
      return create(world, { password });
    }
    const fields: Array<[string, string]> = [['password', world.passwords.get(link)!]];
    return draftOf(world, 'submitRequestPassword', {
      path: { request_token: link },
      body: { kind: 'form', fields },
    });
  },
  showSentFiles: asSender('showSentFiles'),
  getSentReceipt: asSender('getSentReceipt'),
};
