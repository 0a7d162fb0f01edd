import type { ApiKey, KeyAiLimitsChange, NewApiKey } from '#dist/modules/client/index.js';

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
  readonly cost_per_day: string;
  readonly models: string;
}

export const amounts = [
  ...(['requests_per_minute', 'requests_per_day', 'tokens_per_day', 'spend_per_day'] as const),
  'cost_per_day',
] as const;

/** A new key as it is typed. */
export interface KeyDraft {
  readonly name: string;
  readonly isFull: boolean;
  readonly scopes: ReadonlySet<Scope>;
  readonly prefixes: string;
  readonly resources: string;
  readonly limits: LimitsDraft;
  /** How long it lives: days, `never`, or `until` a day. */
  readonly expiry: Expiry;
  /** The last day, as `2026-04-21`, in the time zone of the browser. */
  readonly until: string;
}

export const expiries = ['never', '7', '30', '90', 'until'] as const;
export type Expiry = (typeof expiries)[number];

export function limitsDraftOf(ai: AiLimits | undefined): LimitsDraft {
  const text = (value: number | undefined) => (value === undefined ? '' : String(value));
  return {
    requests_per_minute: text(ai?.requests_per_minute),
    requests_per_day: text(ai?.requests_per_day),
    tokens_per_day: text(ai?.tokens_per_day),
    spend_per_day: text(ai?.spend_per_day),
    cost_per_day: text(ai?.cost_per_day),
    models: ai?.models?.join('\n') ?? '',
  };
}

/** Returns the names of the limits that are no whole number from 1, and the cost if it is no number above 0. */
export function wrongAmounts(draft: LimitsDraft): ReadonlySet<(typeof amounts)[number]> {
  const isRight = (name: (typeof amounts)[number], value: number) =>
    name === 'cost_per_day' ? value >= leastCost && value <= mostCost : Number.isSafeInteger(value) && value >= 1;
  return new Set(amounts.filter((name) => draft[name] !== '' && !isRight(name, Number(draft[name]))));
}

/** As in the contract. */
const [leastCost, mostCost] = [0.000001, 1_000_000];

/** Returns the lines and the parts between commas of a text, without empty ones. */
export function listOf(text: string): string[] {
  return [...new Set(text.split(/[\n,]/).map((part) => part.trim()))].filter((part) => part !== '');
}

/** Returns the body that makes a key. */
export function newKeyOf(draft: KeyDraft, nowMs = Date.now()): NewApiKey {
  const { name, isFull, scopes, prefixes, resources, limits } = draft;
  const lifetime = lifetimeOf(draft, nowMs);
  const [folders, apps] = [listOf(prefixes), listOf(resources)];
  const ai = filledLimits(limits);
  return {
    name: name.trim(),
    scopes: isFull ? ['*'] : [...scopes],
    ...(folders.length > 0 && { prefixes: folders }),
    ...(apps.length > 0 && { resources: apps }),
    ...((isFull || scopes.has('ai:chat')) && Object.keys(ai).length > 0 && { ai }),
    ...(lifetime !== undefined && { expires_in: lifetime }),
  };
}

const hourMs = 3_600_000;
const mostHours = 43_800;

/** Returns the lifetime for the server. Undefined for a key that does not expire. */
function lifetimeOf({ expiry, until }: KeyDraft, nowMs: number): NewApiKey['expires_in'] {
  if (expiry === 'never') return undefined;
  return expiry === 'until' ? `${hoursUntil(until, nowMs)}h` : Number(expiry);
}

/** Returns the hours until the end of a day, at least up to then. NaN for what is no day. */
function hoursUntil(day: string, nowMs: number): number {
  return Math.ceil((new Date(`${day}T24:00:00`).getTime() - nowMs) / hourMs);
}

/** Whether the last day can be one: not over yet, and within five years. */
export function isExpiryRight({ expiry, until }: Pick<KeyDraft, 'expiry' | 'until'>, nowMs = Date.now()): boolean {
  if (expiry !== 'until') return true;
  const hours = hoursUntil(until, nowMs);
  return hours >= 1 && hours <= mostHours;
}

/** A key that ends within a week is marked. */
export function endsSoon(at: string, nowMs = Date.now()): boolean {
  return Date.parse(at) - nowMs < 7 * 24 * hourMs;
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
