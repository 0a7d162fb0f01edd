import type { ErrorCode } from '#generated/errors.ts';

/** Values that are not a list of rules, each with its code. */
export const badLists: ReadonlyArray<readonly [what: string, code: ErrorCode, body: unknown]> = [
  ['has no rules', 'NOTHING_TO_UPDATE', {}],
  ['has its rules under another name', 'INVALID_BODY', { Rules: [], RULES: [], rule: [] }],
  ['has null for rules', 'INVALID_RULES', { rules: null }],
  ['has an object for rules', 'INVALID_RULES', { rules: { prefix: 'a' } }],
  ['has a list as an object', 'INVALID_RULES', { rules: { 0: { prefix: 'a' }, length: 1 } }],
  ['has a text for rules', 'INVALID_RULES', { rules: '[]' }],
  ['has a number for rules', 'INVALID_RULES', { rules: 0 }],
  ['has false for rules', 'INVALID_RULES', { rules: false }],
  ['has null for a rule', 'INVALID_RULES', { rules: [null] }],
  ['has a text for a rule', 'INVALID_RULES', { rules: ['invoices'] }],
  ['has a list for a rule', 'INVALID_RULES', { rules: [['invoices']] }],
  ['has a good rule and a number', 'INVALID_RULES', { rules: [{ prefix: 'a' }, 7] }],
  ['has a rule without a prefix', 'INVALID_RULE_PREFIX', { rules: [{}] }],
  ['has a rule that only has another field', 'INVALID_RULE_PREFIX', { rules: [{ private: true }] }],
  ['has a prefix twice', 'DUPLICATE_RULE_PREFIX', { rules: [{ prefix: 'a' }, { prefix: 'a' }] }],
  [
    'has a prefix twice, once with a slash',
    'DUPLICATE_RULE_PREFIX',
    { rules: [{ prefix: 'a/b' }, { prefix: 'c' }, { prefix: 'a/b/' }] },
  ],
  ['has 21 rules', 'TOO_MANY_RULES', { rules: Array.from({ length: 21 }, (_, at) => ({ prefix: `p${at}` })) }],
  ['has 10,000 rules', 'TOO_MANY_RULES', { rules: Array.from({ length: 10_000 }, (_, at) => ({ prefix: `p${at}` })) }],
  ['is a list', 'INVALID_BODY', [{ prefix: 'a' }]],
  ['is null', 'INVALID_BODY', null],
  ['is a text', 'INVALID_BODY', 'rules'],
  ['is a number', 'INVALID_BODY', 7],
];
