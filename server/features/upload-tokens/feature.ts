import { feature } from '#server/feature.ts';
import { forgetUploadTokens } from './forget-upload-tokens.ts';
import { returnReservedUses } from './reserve-use.ts';

/** Tokens with which browsers upload. */
export const uploadTokens = feature({
  name: 'upload-tokens',
  needs: [],
  processTables: [{ name: 'reserved_token_uses' }],
  jobs: {
    'forget-upload-tokens': { stage: 'rows', trustsClock: true, run: forgetUploadTokens },
  },
  recover: { returned_token_uses: returnReservedUses },
  isRequired: true,
  serve: () => import('./serve.ts'),
});
