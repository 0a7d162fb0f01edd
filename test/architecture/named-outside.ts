/**
 * Files outside of `server/features/` that import a feature. The core is to know none: what a file here needs is to be
 * handed to it, or to move into the feature. So this list only gets shorter.
 */
export const namedOutside: readonly string[] = [
  // Opens the purges of a CDN, which commands need too.
  'server/stores/open.ts',
];
