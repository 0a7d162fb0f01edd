import { createHmac } from 'node:crypto';
import { availableParallelism } from 'node:os';

import { imageSigningKey } from '#server/features/images/signing-key.ts';
import { ImageRefused } from '#server/features/images/image-ports.ts';
import { someBytes } from '#test/support/files.ts';
import { picture, pixelBomb } from '#test/support/images.ts';
import type { TestAccount, TestAnswer, TestRequest, TestServer } from '#test/support/server.ts';
import type { PairsOf, Provocation } from './provocation.ts';

/** Stores a file, and returns its address. */
type Store = (
  server: TestServer,
  account: TestAccount,
  bytes: Uint8Array,
) => Promise<{ readonly path: string; readonly door: NonNullable<TestRequest['door']> }>;

/** More variants than a server makes and lets wait. */
const tooMany = 32 + availableParallelism() + 1;

const image = () => picture(60, 60).png().toBuffer();

/** Returns the provocations of codes that both operations with variants have. */
export function imagePairs(store: Store) {
  const asking =
    (query: string, bytes: () => Promise<Uint8Array> = image): Provocation =>
    async ({ server }) => {
      const { path, door } = await store(server, await server.account(), await bytes());
      return server.send(path + query, { door });
    };
  return {
    INVALID_IMAGE_VARIANT: asking('?preset=unknown'),
    IMAGE_SIGNATURE_REQUIRED: asking('?w=21'),
    NOT_AN_IMAGE: asking('?preset=thumb', async () => someBytes()),
    IMAGE_TOO_LARGE: asking('?preset=thumb', async () => pixelBomb()),
    IMAGE_UNREADABLE: asking('?preset=thumb', async () => (await image()).subarray(0, 1000)),
    async IMAGE_TOO_COSTLY(context) {
      context.renders.before = () => Promise.reject(new ImageRefused('too-costly'));
      try {
        return await asking('?preset=thumb')(context);
      } finally {
        context.renders.before = async () => {};
      }
    },
    async IMAGE_QUEUE_FULL({ server, renders }) {
      const gate = Promise.withResolvers<void>();
      renders.before = () => gate.promise;
      const account = await server.account();
      const file = await store(server, account, await image());
      const asked = Array.from({ length: tooMany }, (_, at) => getSigned(server, account, file, `w=${at + 1}`));
      try {
        return await Promise.race(asked);
      } finally {
        renders.before = async () => {};
        gate.reject(new ImageRefused('too-costly'));
        await Promise.all(asked);
      }
    },
  } satisfies PairsOf<'getPublicFile'> & PairsOf<'openDownloadLink'>;
}

function getSigned(
  server: TestServer,
  account: TestAccount,
  { path, door }: Awaited<ReturnType<Store>>,
  size: string,
): Promise<TestAnswer> {
  const variant = `${size}&fit=contain&f=png`;
  const key = imageSigningKey(server.running.app.stores.secrets, account.id);
  const sig = createHmac('sha256', key).update(`${path}?${variant}`).digest('base64url');
  return server.send(`${path}?${variant}&sig=${sig}`, { door });
}
