import type { Listed } from '#test/architecture/listed.ts';

export const stateful: Listed['stateful'] = {
  computed: [
    // The files of the cache of variants, as a listing of its folder says.
    'server/features/images/stores/filesystem/variant-files.ts',
  ],
  resources: ['server/features/images/backends/render-process.ts'],
  work: [
    // Contents whose variants may have to go. What it loses at an end is found at the next start.
    'server/features/images/backends/drop-released.ts',
    'server/features/images/image-variants.ts',
    'server/features/images/turns.ts',
  ],
};

export const outbound: Listed['outbound'] = {
  'server/features/images/backends/render-process.ts': 'nobody: it forks a process for a variant of an image',
};
