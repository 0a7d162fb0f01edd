import type { Mocked } from '#test/mocks/example-home.ts';
import { chunking } from '#test/support/chunked.ts';
import { sha256 } from '#test/support/files.ts';

const partBytes = Buffer.alloc(600, 'x');

export const makers: Mocked['makers'] = {
  async 'example-upload-0001'({ server, credential }) {
    const chunks = chunking(() => server);
    const upload = await chunks.open({ credential });
    await chunks.put({ credential }, upload, 1, partBytes);
    return upload;
  },
  '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae': async () => sha256(partBytes),
};

export const notFound: Mocked['notFound'] = ['UPLOAD_NOT_FOUND'];

export const atOffsets: Mocked['atOffsets'] = ['putUploadBytes'];
