import { feature } from '#server/feature.ts';

/** Tokens with which browsers upload. */
export const uploadTokens = feature({
  name: 'upload-tokens',
  needs: [],
});
