import { feature, ofAccount } from '#server/feature.ts';
import { rulesTable } from './tables/rules.ts';

/** Rules for the files below a prefix. */
export const rules = feature({
  name: 'rules',
  needs: [],
  isRequired: true,
  schema: ['rules'],
  tables: {
    rules: rulesTable,
  },
  readSteps: { rules: ['listOf'] },
  accountRows: [['rules', 'account_id, prefix', ofAccount]],
  serve: () => import('./serve.ts'),
});
