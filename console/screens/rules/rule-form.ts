import type { NewRule, Rule } from '#dist/modules/client/index.js';

import { parseExtensions, parseSize, sizeText } from '../../inputs.ts';

/** What the form of a rule has, as typed. Empty texts set nothing. */
export interface RuleForm {
  readonly prefix: string;
  readonly visibility: 'none' | 'yes' | 'no';
  readonly expire: string;
  readonly cache: 'none' | 'immutable' | 'max-age' | 'no-cache';
  readonly cacheSeconds: string;
  readonly maxSize: string;
  readonly extensions: string;
  readonly deleteAfter: string;
  readonly keepDeleted: string;
  readonly keepVersions: string;
}

export function formOf(rule: NewRule | undefined, prefix = ''): RuleForm {
  const cache = rule?.cache_control;
  return {
    prefix: (rule?.prefix ?? prefix).replace(/\/$/, ''),
    visibility: rule?.private === undefined ? 'none' : rule.private ? 'yes' : 'no',
    expire: rule?.expire === undefined ? '' : String(rule.expire),
    cache: cache === undefined ? 'none' : cache === 'immutable' || cache === 'no-cache' ? cache : 'max-age',
    cacheSeconds: cache?.startsWith('max-age=') ? cache.slice('max-age='.length) : '3600',
    maxSize: rule?.max_size === undefined ? '' : sizeText(rule.max_size),
    extensions: rule?.extensions?.join(', ') ?? '',
    deleteAfter: String(rule?.delete_after_days ?? ''),
    keepDeleted: String(rule?.keep_deleted_days ?? ''),
    keepVersions: String(rule?.keep_versions ?? ''),
  };
}

export function ruleOf(form: RuleForm): NewRule {
  const extensions = parseExtensions(form.extensions);
  const size = parseSize(form.maxSize);
  return {
    prefix: form.prefix.replace(/\/$/, ''),
    ...(form.visibility !== 'none' && { private: form.visibility === 'yes' }),
    ...(form.expire.trim() !== '' && { expire: form.expire.trim() }),
    ...(form.cache !== 'none' && {
      cache_control: form.cache === 'max-age' ? `max-age=${form.cacheSeconds}` : form.cache,
    }),
    ...(size !== undefined && { max_size: size }),
    ...(extensions.length > 0 && { extensions }),
    ...(form.deleteAfter !== '' && { delete_after_days: Number(form.deleteAfter) }),
    ...(form.keepDeleted !== '' && { keep_deleted_days: Number(form.keepDeleted) }),
    ...(form.keepVersions !== '' && { keep_versions: Number(form.keepVersions) }),
  };
}

/** Returns a saved rule in the form in which it is saved again, so that it keeps its date. */
export function unsaved({ created_at: _created, active_from: _active, ...rule }: Rule): NewRule {
  return rule;
}

/** The fields of the form that an error of the contract is about. */
export const fieldOfCode: Readonly<Record<string, keyof RuleForm>> = {
  INVALID_RULE_PREFIX: 'prefix',
  DUPLICATE_RULE_PREFIX: 'prefix',
  INVALID_RULE_PRIVATE: 'visibility',
  INVALID_RULE_EXPIRE: 'expire',
  INVALID_RULE_CACHE_CONTROL: 'cache',
  INVALID_RULE_MAX_SIZE: 'maxSize',
  INVALID_RULE_EXTENSIONS: 'extensions',
  INVALID_RULE_DELETE_AFTER: 'deleteAfter',
  INVALID_RULE_KEEP_DELETED: 'keepDeleted',
  INVALID_RULE_KEEP_VERSIONS: 'keepVersions',
};
