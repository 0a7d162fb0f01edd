import type { Listed } from '#test/architecture/listed.ts';

export const stateful: Listed['stateful'] = {
  request: [
    'server/features/s3/list-s3-versions.ts',
    'server/features/s3/door/body/aws-chunked.ts',
    'server/features/s3/door/body/chunk-reader.ts',
    'server/features/s3/door/body/gathered.ts',
    'server/features/s3/door/s3-exchange.ts',
    'server/features/s3/door/xml.ts',
  ],
  // The parser, once the first body needs it.
  computed: ['server/features/s3/door/body/xml-body.ts'],
};
