import { deleteObjects, listObjects, type ObjectEntry } from 'cubby-server/client';
import { UploadError, uploadFile } from 'cubby-server/uploader';

/** The server, and the key that the visitor has entered. */
export interface Connection {
  readonly baseUrl: string;
  readonly credential: string;
}

/** A stored photo. */
export interface Photo {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

/** An error with a message for people. */
export class PhotoError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(words[code] ?? message);
    this.code = code;
  }
}

/** Texts for errors that the visitor can do something about. Others have the message of the server. */
const words: Readonly<Record<string, string>> = {
  ACCESS_DENIED: 'The key is not valid. Enter another one.',
  FILE_TOO_SMALL: 'This picture is too small: a file takes at least 512 bytes.',
  STORAGE_QUOTA_EXCEEDED: 'Your storage is full. Delete something, then try again.',
  NETWORK_ERROR: 'The server cannot be reached. Check your connection, then try again.',
};

const prefix = 'photos';

/** Lists all photos, newest first. */
export async function listPhotos({ baseUrl, credential }: Connection): Promise<Photo[]> {
  const photos: Photo[] = [];
  let cursor: string | undefined;
  do {
    const query = { prefix: `${prefix}/`, limit: 1000, ...(cursor !== undefined && { cursor }) };
    const { data, error } = await patiently(() => listObjects({ baseUrl, auth: credential, query }));
    if (!data) throw refused(error);
    photos.push(...data.response.objects.flatMap(photoOf));
    cursor = data.response.continuationToken;
  } while (cursor !== undefined);
  return photos;
}

/**
 * Asks again after the time that the server says, as it does where requests come too fast. Gives up after four times.
 */
async function patiently<Answer extends { readonly response?: Response }>(
  ask: () => Promise<Answer>,
  tries = 1,
): Promise<Answer> {
  const answer = await ask();
  const seconds = answer.response?.headers.get('Retry-After');
  if (!seconds || tries === 4) return answer;
  await new Promise((resolve) => setTimeout(resolve, 1000 * Number(seconds)));
  return patiently(ask, tries + 1);
}

/** Uploads a photo, and returns it. A photo of the same name is replaced. */
export async function uploadPhoto(
  { baseUrl, credential }: Connection,
  file: File,
  onProgress: (share: number) => void,
): Promise<Photo | undefined> {
  try {
    const { id, url } = await uploadFile(file, {
      baseUrl,
      credential,
      query: { prefix },
      onProgress: ({ sentBytes, totalBytes }) => onProgress(totalBytes === 0 ? 0 : sentBytes / totalBytes),
    }).done;
    return photoOf({ id, url })[0];
  } catch (error) {
    throw error instanceof UploadError ? new PhotoError(error.code, error.message) : error;
  }
}

export async function deletePhoto({ baseUrl, credential }: Connection, { id }: Photo): Promise<void> {
  const { error } = await patiently(() => deleteObjects({ baseUrl, auth: credential, body: { object: id } }));
  // It is gone, whoever deleted it.
  if (error && error.code !== 'OBJECT_NOT_FOUND') throw refused(error);
}

/** Private files have no address, so they cannot be shown. */
function photoOf({ id, url }: Pick<ObjectEntry, 'id' | 'url'>): Photo[] {
  return url === null ? [] : [{ id, url, name: id.split('/').at(-1)! }];
}

function refused(error: { readonly code?: string; readonly message?: string } | undefined): PhotoError {
  return new PhotoError(error?.code ?? 'NETWORK_ERROR', error?.message ?? 'Something went wrong.');
}
