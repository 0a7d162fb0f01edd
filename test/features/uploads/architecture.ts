import type { Listed } from '#test/architecture/listed.ts';

export const stateful: Listed['stateful'] = {
  request: [
    'server/features/uploads/upload-lookup.ts',
    'server/features/uploads/cut-source.ts',
    'server/features/uploads/writing.ts',
  ],
  work: [
    'server/features/uploads/running-hash.ts',
    // Who writes to an upload. Other processes are kept out by its row.
    'server/features/uploads/upload-turns.ts',
  ],
};
