import type { ApiKey, KeyAiLimitsChange, NewApiKey } from '#generated/client/index.js';

export type Scope = Exclude<NewApiKey['scopes'][number], '*'>;
type AiLimits = NonNullable<ApiKey['ai']>;

/** The scopes by what they are about, in the order of the form. */
export const scopeGroups = {
  storage: ['blob:read', 'blob:write'],
  ai: ['ai:chat'],
  account: ['account:read'],
  apps: ['apps:read', 'apps:control', 'apps:write', 'apps:deploy'],
  others: [
    'files:read',
    'files:write',
    'envs:read',
    'envs:write',
    'snapshots:read',
    'snapshots:write',
    'databases:read',
    'databases:write',
    'databases:credentials',
    'workspaces:manage',
  ],
} as const satisfies Readonly<Record<string, readonly Scope[]>>;

/** The limits of a key as they are typed. */
export interface LimitsDraft {
  readonly requests_per_minute: string;
  readonly requests_per_day: string;
  readonly tokens_per_day: string;
  readonly spend_per_day: string;
  readonly models: string;
}

export const amounts = ['requests_per_minute', 'requests_per_day', 'tokens_per_day', 'spend_per_day'] as const;

/** A new key as it is typed. */
export interface KeyDraft {
  readonly name: string;
  readonly isFull: boolean;
  readonly scopes: ReadonlySet<Scope>;
  readonly prefixes: string;
  readonly resources: string;
  readonly limits: LimitsDraft;
}

export function limitsDraftOf(ai: AiLimits | undefined): LimitsDraft {
  const text = (value: number | undefined) => (value === undefined ? '' : String(value));
  return {
    requests_per_minute: text(ai?.requests_per_minute),
    requests_per_day: text(ai?.requests_per_day),
    tokens_per_day: text(ai?.tokens_per_day),
    spend_per_day: text(ai?.spend_per_day),
    models: ai?.models?.join('\n') ?? '',
  };
}

/** Returns the names of the limits that are no whole number from 1. */
export function wrongAmounts(draft: LimitsDraft): ReadonlySet<(typeof amounts)[number]> {
  return new Set(
    amounts.filter(
      (name) => draft[name] !== '' && !(Number.isSafeInteger(Number(draft[name])) && Number(draft[name]) >= 1),
    ),
  );
}

/** Returns the lines and the parts between commas of a text, without empty ones. */
export function listOf(text: string): string[] {
  return [...new Set(text.split(/[\n,]/).map((part) => part.trim()))].filter((part) => part !== '');
}

/** Returns the body that makes a key. */
export function newKeyOf({ name, isFull, scopes, prefixes, resources, limits }: KeyDraft): NewApiKey {
  const [folders, apps] = [listOf(prefixes), listOf(resources)];
  const ai = filledLimits(limits);
  return {
    name: name.trim(),
    scopes: isFull ? ['*'] : [...scopes],
    ...(folders.length > 0 && { prefixes: folders }),
    ...(apps.length > 0 && { resources: apps }),
    ...((isFull || scopes.has('ai:chat')) && Object.keys(ai).length > 0 && { ai }),
  };
}

function filledLimits(draft: LimitsDraft): AiLimits {
  const models = listOf(draft.models);
  return {
    ...Object.fromEntries(amounts.filter((name) => draft[name] !== '').map((name) => [name, Number(draft[name])])),
    ...(models.length > 0 && { models }),
  };
}

/** Returns the change from the limits of a key to others: null for those that go away, and for all of them. */
export function limitsChange(draft: LimitsDraft): KeyAiLimitsChange {
  const filled = filledLimits(draft);
  if (Object.keys(filled).length === 0) return null;
  return {
    ...Object.fromEntries(amounts.map((name) => [name, filled[name] ?? null])),
    models: filled.models ?? null,
  };
}
