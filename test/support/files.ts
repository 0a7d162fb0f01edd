import { createHash, randomBytes } from 'node:crypto';

import type { TestAccount, TestAnswer, TestServer } from './server.ts';

/** Returns a multipart body with one file. */
export function formWith(bytes: Uint8Array, filename = 'photo.png', type = 'image/png'): FormData {
  const form = new FormData();
  form.append('file', new File([bytes as Uint8Array<ArrayBuffer>], filename, { type }));
  return form;
}

/** Returns random bytes. The default of 3,000 is small enough for the server's database. */
export function someBytes(size = 3000): Buffer {
  return randomBytes(size);
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface Upload {
  readonly bytes?: Uint8Array;
  readonly filename?: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** Uploads a file with the account's key. `name` defaults to `photo`. */
export function upload(
  server: TestServer,
  account: TestAccount,
  { bytes = someBytes(), filename, query = {} }: Upload = {},
): Promise<TestAnswer> {
  const search = new URLSearchParams({ name: 'photo', ...query });
  return server.send(`/v1/objects?${search}`, {
    method: 'POST',
    credential: account.credential,
    body: formWith(bytes, filename),
  });
}
