import type { OperationId } from '#generated/policies.ts';
import { manyFiles } from './many-files.ts';
import type { Preferences } from './preferences.ts';
import { mockAccountId } from './stateless.ts';

/** The response to one operation in a scene. Without a name or a body it is the usual one. */
export interface StoryAnswer extends Preferences {
  /** A body in place of the example's, or a function of the valid query. A test checks it against the contract. */
  readonly body?: object | ((query: never) => object);
  /** The connection ends instead of a response. */
  readonly cutsOff?: boolean;
}

/** A part of a story. It ends with the response to one of the operations in `until`. */
interface Scene {
  /** The operations that have another response than usual. */
  readonly answers: { readonly [id in OperationId]?: StoryAnswer };
  /** The last scene has none, so it never ends. */
  readonly until?: readonly OperationId[];
}

/** A sequence of scenes that a page lives through. */
export interface Story {
  /** One sentence, for the list of stories. */
  readonly about: string;
  readonly scenes: readonly Scene[];
}

const picture = {
  id: `pub/${mockAccountId}/photos/beach.png`,
  size: 4583,
  created_at: '2026-04-21T09:30:00.000Z',
  private: false,
  url: `https://public.cubby.invalid/${mockAccountId}/photos/beach.png`,
  etag: '9e107d9d372bb6826bd81d3542a419d6',
};

const listed = (...objects: unknown[]): StoryAnswer => ({ body: { status: 'success', response: { objects } } });

const uploaded: StoryAnswer = {
  body: {
    status: 'success',
    response: {
      id: picture.id,
      name: 'beach',
      prefix: 'photos',
      size: picture.size,
      url: picture.url,
      private: false,
      sha256: '4a1f0c5d8e2b7a96f3d4c1b0a9e8d7c6b5a4938271605f4e3d2c1b0a99887766',
      etag: picture.etag,
      replaced: false,
    },
  },
};

const deleted: StoryAnswer = { example: 'one' };

/** The stories of `X-Mock-Story`, by name. */
export const stories = {
  'upload-token-used-up': {
    about: 'The upload token has one use: the first upload is stored, every later one is refused.',
    scenes: [
      { answers: {}, until: ['uploadObject', 'startChunkedUpload'] },
      {
        answers: {
          uploadObject: { example: 'UPLOAD_TOKEN_USED' },
          startChunkedUpload: { example: 'UPLOAD_TOKEN_USED' },
        },
      },
    ],
  },
  'upload-fails-once': {
    about: 'The first upload ends with UPLOAD_FAILED, and every later one is stored.',
    scenes: [{ answers: { uploadObject: { example: 'UPLOAD_FAILED' } }, until: ['uploadObject'] }, { answers: {} }],
  },
  'upload-cut-off': {
    about: 'The connection of the first upload ends without a response, and every later upload is stored.',
    scenes: [{ answers: { uploadObject: { cutsOff: true } }, until: ['uploadObject'] }, { answers: {} }],
  },
  'part-fails-once': {
    about: 'The first part of a chunked upload ends with UPLOAD_FAILED, and every later one is stored.',
    scenes: [{ answers: { putChunkedPart: { example: 'UPLOAD_FAILED' } }, until: ['putChunkedPart'] }, { answers: {} }],
  },
  'storage-full': {
    about: 'The account has no room: one upload is stored, every later one is refused.',
    scenes: [
      { answers: {}, until: ['uploadObject', 'startChunkedUpload'] },
      {
        answers: {
          uploadObject: { example: 'STORAGE_QUOTA_EXCEEDED' },
          startChunkedUpload: { example: 'STORAGE_QUOTA_EXCEEDED' },
        },
      },
    ],
  },
  'name-taken': {
    about: 'The name is taken until a file is deleted.',
    scenes: [
      { answers: { uploadObject: { example: 'OBJECT_ALREADY_EXISTS' } }, until: ['deleteObjects'] },
      { answers: {} },
    ],
  },
  'rate-limited': {
    about: 'The first list is refused with RATE_LIMITED and Retry-After, and later ones are answered.',
    scenes: [{ answers: { listObjects: { example: 'RATE_LIMITED' } }, until: ['listObjects'] }, { answers: {} }],
  },
  'key-revoked': {
    about: 'The key is revoked after the first list: everything later is ACCESS_DENIED.',
    scenes: [
      { answers: {}, until: ['listObjects'] },
      {
        answers: {
          listObjects: { example: 'ACCESS_DENIED' },
          uploadObject: { example: 'ACCESS_DENIED' },
          deleteObjects: { example: 'ACCESS_DENIED' },
          getObjectInfo: { example: 'ACCESS_DENIED' },
        },
      },
    ],
  },
  'slow-list': {
    about: 'Every list takes two seconds.',
    scenes: [{ answers: { listObjects: { waitMs: 2000 } } }],
  },
  'one-picture': {
    about: 'The list is empty, shows a picture once one was uploaded, and is empty again once it was deleted.',
    scenes: [
      { answers: { listObjects: listed(), uploadObject: uploaded }, until: ['uploadObject'] },
      {
        answers: { listObjects: listed(picture), uploadObject: uploaded, deleteObjects: deleted },
        until: ['deleteObjects'],
      },
      { answers: { listObjects: listed(), uploadObject: uploaded, deleteObjects: { example: 'OBJECT_NOT_FOUND' } } },
    ],
  },
  'room-again': {
    about: 'The list is empty, the first upload is refused with STORAGE_QUOTA_EXCEEDED, and the next one is stored.',
    scenes: [
      {
        answers: { listObjects: listed(), uploadObject: { example: 'STORAGE_QUOTA_EXCEEDED' } },
        until: ['uploadObject'],
      },
      { answers: { listObjects: listed(), uploadObject: uploaded }, until: ['uploadObject'] },
      { answers: { listObjects: listed(picture), uploadObject: uploaded } },
    ],
  },
  'many-files': {
    about: 'The list has 2500 files, in pages of `limit`.',
    scenes: [{ answers: { listObjects: { body: manyFiles } } }],
  },
  'key-renewed': {
    about: 'The first list is refused with ACCESS_DENIED, and later ones are empty.',
    scenes: [
      { answers: { listObjects: { example: 'ACCESS_DENIED' } }, until: ['listObjects'] },
      { answers: { listObjects: listed() } },
    ],
  },
  'chat-busy': {
    about: 'The first question is refused with rate_limit_exceeded, and later ones are answered.',
    scenes: [
      { answers: { createChatCompletion: { example: 'rate_limit_exceeded' } }, until: ['createChatCompletion'] },
      { answers: {} },
    ],
  },
} as const satisfies Record<string, Story>;

export type StoryName = keyof typeof stories;
