import type { ErrorCode } from '#generated/errors.ts';

/** One field of a rule: values that it must refuse with its own code, and values that it must take. */
export interface RuleFieldCases {
  readonly field: string;
  readonly code: ErrorCode;
  readonly bad: readonly unknown[];
  readonly good: readonly unknown[];
}

/** What is wrong for every field that is no object and no list. */
const misshapen: readonly unknown[] = [null, {}, { value: 1 }, [], [[]], [null]];

const notTexts: readonly unknown[] = [...misshapen, true, false, 7, 0, -1, 1.5];

const notNumbers: readonly unknown[] = [...misshapen, true, false, '', '7', '1024', ' 7', '7 ', '1e3', '0x10', 'NaN', 'seven', [7], { 7: 7 }, '７'];

const segment = 'a'.repeat(64);

export const ruleFields: readonly RuleFieldCases[] = [
  {
    field: 'prefix',
    code: 'INVALID_RULE_PREFIX',
    bad: [
      ...notTexts, '', '/', '//', '/a', 'a//', 'a//b', '.', '..', '.a', 'a/..', 'a/../b', 'a..b', '-a', 'a/-b', ' a', 'a ', 'a b', 'a\n', 'a\u0000', 'a\\b', 'a%2Fb', 'ä', 'e\u0301', '📁', 'ａ',
      'a?b', 'a#b', 'a*', 'a\u202eb', 'a\u200b', '\ufeffa', `a${segment}`, `b/a${segment}`, 'a/b/c/d/e/f/g/h/i', Array(5).fill(segment).join('/'), 'x'.repeat(5000),
      "a' OR 1=1 --", '<script>',
    ],
    good: ['a', 'a/', 'A/b_c/d-e/f.g', '_', '0', 'a/b/c/d/e/f/g/h', 'a/b/c/d/e/f/g/h/', segment, '__proto__', 'constructor'],
  },
  {
    field: 'private',
    code: 'INVALID_RULE_PRIVATE',
    bad: [...misshapen, 0, 1, -1, 1.5, '', 'true', 'false', 'True', 'yes', '1', '0', 'null', [true], { true: true }],
    good: [true, false],
  },
  {
    field: 'expire',
    code: 'INVALID_RULE_EXPIRE',
    bad: [
      ...misshapen, true, false, 0, -1, -7, 1.5, 7.000001, 1826, 1e6, 1e300, '', '0', '-7', '+7', '07', '7.0', '7,0', '7e0', '7 d', ' 7d', '7d ', '7D', '7H', '7dh', '7w', '7m', 'd', 'h', '0h', '0d', '1826', '1826d', '43801h', '999999',
      '1000000', '9'.repeat(400), 'P7D', 'never', 'null', '2026-01-01', '７d', '٧d', '7d\n', '7d\u0000', ['7d'], { days: 7 },
    ],
    good: [1, 7, 1825, '1', '1h', '6h', '7', '30d', '1825d', '43800h'],
  },
  {
    field: 'max_size',
    code: 'INVALID_RULE_MAX_SIZE',
    bad: [...notNumbers, 0, -1, -512, 511, 512.5, 10_737_418_241, 1e15, 1e300, Number.MAX_SAFE_INTEGER],
    good: [512, 513, 1e6, 10_737_418_239, 10_737_418_240],
  },
  {
    field: 'extensions',
    code: 'INVALID_RULE_EXTENSIONS',
    bad: [
      null, {}, { 0: 'pdf' }, [], 'pdf', '', 7, true, ['pdf', null], [[]], [['pdf']], [{}], [7], [true], [''], [' '], ['.pdf'], ['PDF'], ['pdf '], [' pdf'], ['p-d-f'], ['p_f'], ['pdf.'], ['a.b.c'], ['tar..gz'],
      ['a'.repeat(17)], [`a.${'b'.repeat(17)}`], ['pdf\n'], ['pdf\u0000'], ['äöü'], ['*'], ['pdf,png'], ['p/f'], ['📁'], ['pdf', 'png', '.gif'], Array(51).fill('pdf'), Array.from({ length: 51 }, (_, at) => `e${at}`), Array(10_000).fill('a'),
    ],
    good: [['pdf'], ['tar.gz'], ['a'.repeat(16)], ['7z', 'mp4'], ['pdf', 'pdf'], Array.from({ length: 50 }, (_, at) => `e${at}`)],
  },
  {
    field: 'cache_control',
    code: 'INVALID_RULE_CACHE_CONTROL',
    bad: [
      ...notTexts, '', ' ', 'public', 'private', 'no-store', 'Immutable', 'NO-CACHE', 'max-age', 'max-age=', 'max-age=0', 'max-age=1', 'max-age=59', 'max-age=060', 'max-age=31536001', 'max-age=99999999', 'max-age=-60', 'max-age=+60',
      'max-age=60.0', 'max-age=1e3', 'max-age= 60', 'max-age=60 ', 'max-age=60, immutable', 'immutable, max-age=60', 's-maxage=60', 'immutable\r\nX-Evil: 1', 'immutable\n', 'immutable\u0000', 'max-age=６０', 'x'.repeat(5000),
    ],
    good: ['immutable', 'no-cache', 'max-age=60', 'max-age=31536000'],
  },
  {
    field: 'delete_after_days',
    code: 'INVALID_RULE_DELETE_AFTER',
    bad: [...notNumbers, '30d', 0, -1, -30, 0.5, 1.5, 3651, 1e6, 1e300],
    good: [1, 6, 7, 3649, 3650],
  },
];

/** What is no list of rules, each with the code that it answers. */
export const badLists: ReadonlyArray<readonly [what: string, code: ErrorCode, body: unknown]> = [
  ['has no rules', 'NOTHING_TO_UPDATE', {}],
  ['has its rules under another name', 'NOTHING_TO_UPDATE', { Rules: [], RULES: [], rule: [] }],
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
  ['has a prefix twice, once with a slash', 'DUPLICATE_RULE_PREFIX', { rules: [{ prefix: 'a/b' }, { prefix: 'c' }, { prefix: 'a/b/' }] }],
  ['has 21 rules', 'TOO_MANY_RULES', { rules: Array.from({ length: 21 }, (_, at) => ({ prefix: `p${at}` })) }],
  ['has 10,000 rules', 'TOO_MANY_RULES', { rules: Array.from({ length: 10_000 }, (_, at) => ({ prefix: `p${at}` })) }],
  ['is a list', 'INVALID_BODY', [{ prefix: 'a' }]],
  ['is null', 'INVALID_BODY', null],
  ['is a text', 'INVALID_BODY', 'rules'],
  ['is a number', 'INVALID_BODY', 7],
];
