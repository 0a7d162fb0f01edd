import type { Harvest } from './note.ts';

export const s3: Readonly<Record<string, Harvest>> = {
  getS3Credentials: (world, { json }) => {
    const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = json.response;
    world.member.pair ??= { accessKeyId, secretAccessKey };
  },
};
