import { feature, ofAccount } from '#server/feature.ts';
import { files } from '../files/feature.ts';
import { forgetShares } from './forget-shares.ts';
import { resealShares } from './reseal-shares.ts';
import { bundlesTable } from './tables/bundles.ts';
import { sharesTable } from './tables/shares.ts';

/** Share links to a file or several, with caps and passwords. */
export const shares = feature({
  name: 'shares',
  needs: [files],
  pages: ['shares'],
  schema: ['shares'],
  tables: {
    bundles: bundlesTable,
    shares: sharesTable,
  },
  processTables: [{ name: 'password_tries', countsReads: true }],
  accountRows: [
    ['share_files', 'share_id, position', `share_id IN (SELECT share_id FROM shares WHERE ${ofAccount})`],
    ['shares', 'share_id', ofAccount],
  ],
  jobs: {
    'forget-shares': { stage: 'rows', trustsClock: true, run: forgetShares },
  },
  reseal: resealShares,
  serve: () => import('./serve.ts'),
});
