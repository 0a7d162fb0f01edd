import type { Layer } from './layer.ts';

/** The contract, and what is made from it. */
export const contractLayers: readonly Layer[] = [
  {
    files: ['generated/'],
    may: [
      'generated/',
      'server/http/operation.ts',
      'server/http/reply.ts',
      'server/pipeline/operation-policy.ts',
      'npm:express',
    ],
  },
  { files: ['openapi/codegen/'], may: ['openapi/codegen/', 'node:crypto'] },
  // The theme runs in browsers. The generator loads it, and nothing of the server does.
  { files: ['openapi/site/'], may: ['openapi/', 'npm:minisearch', 'npm:vitepress', 'npm:vue', 'node:'] },
  { files: ['openapi/build/pages/limits.ts'], may: ['openapi/', 'server/domain/plan.ts', 'server/domain/limits.ts'] },
  { files: ['openapi/build/pages/s3-errors.ts'], may: ['openapi/', 'server/features/s3/error-meanings.ts'] },
  {
    files: ['openapi/build/client.ts', 'openapi/build/client-package.ts'],
    may: ['openapi/', 'npm:@hey-api/openapi-ts', 'npm:vite', 'node:'],
  },
  { files: ['openapi/build/docs.ts'], may: ['openapi/', 'server/doors/api/contract-yaml.ts', 'node:'] },
  { files: ['openapi/build/'], may: ['openapi/', 'node:'] },
  // A part of the client that no generator makes. It runs in browsers too.
  { files: ['openapi/codegen/client/'], may: [] },
  { files: ['openapi/lint/'], may: ['openapi/lint/'] },
  { files: ['openapi/expand/'], may: ['openapi/expand/', 'npm:yaml', 'node:'] },
  { files: ['openapi/plugin.mjs'], may: ['openapi/expand/', 'openapi/lint/'] },
];
