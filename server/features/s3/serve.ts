import type { Given } from '#server/compose/given.ts';
import type { Ports } from '#server/compose/served.ts';
import { s3ProtocolAnswer } from './door/protocol-answer.ts';
import { s3Door } from './door/s3-door.ts';
import { s3CredentialsHandlers } from './handlers/s3.ts';

export function serve({ config, urls, stores, metrics, core, common, answer }: Given) {
  const { blobs } = stores;
  const encryptsFiles = config.keyEncryptionKey !== undefined;
  const noteStored = (bytes: number) => metrics.bytesReceived('s3', bytes);
  return {
    handlers: () => s3CredentialsHandlers({ secrets: core.secrets, s3Host: urls.s3 }),
    doors: ({ hashes, onUnhashed }: Ports) => ({
      s3: s3Door({
        ...common,
        answer,
        stores: { ...core, blobs, hashes, s3Url: urls.s3, encryptsFiles, noteStored, onUnhashed },
      }),
    }),
    protocolAnswers: { s3: s3ProtocolAnswer },
  };
}
