import type { Listed } from '#test/architecture/listed.ts';

export const stateful: Listed['stateful'] = {
  computed: [
    // The files of the cache of variants, as a listing of its folder says.
    'server/features/images/stores/filesystem/variant-files.ts',
  ],
  work: [
    // Contents whose variants may have to go. What it loses at an end is found at the next start.
    'server/features/images/backends/drop-released.ts',
    'server/features/images/image-variants.ts',
  ],
};

export const outbound: Listed['outbound'] = {};
