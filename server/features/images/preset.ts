import { Refusal } from '#server/domain/refusal.ts';
import { formatVariant, parseVariant, type Variant } from './variant.ts';

/** Variants with names. An address may ask for them without a signature. */
export type Presets = ReadonlyMap<string, Variant>;

/** A preset as an account keeps it. */
export interface NamedPreset {
  readonly name: string;
  readonly variant: Variant;
}

const nameForm = /^[a-z0-9][a-z0-9-]{0,31}$/;

/**
 * Parses a preset, as in `thumb:w=200&h=200&fit=cover`. Returns undefined for any other text.
 */
export function parsePreset(text: string): readonly [name: string, variant: Variant] | undefined {
  const [, name = '', query = ''] = /^([^:]*):(.+)$/.exec(text) ?? [];
  if (!nameForm.test(name)) return undefined;
  const fields = query.split('&').map((pair) => pair.split('='));
  const names = fields.map(([field]) => field);
  if (new Set(names).size < names.length || !fields.every(isField)) return undefined;
  try {
    return [name, parseVariant(Object.fromEntries(fields))];
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function isField(pair: readonly string[]): boolean {
  return pair.length === 2 && ['w', 'h', 'fit', 'q', 'f'].includes(pair[0]!);
}

/** Formats a preset as `parsePreset()` takes it. */
export function formatPreset([name, variant]: readonly [string, Variant]): string {
  return `${name}:${formatVariant(variant)}`;
}

/** Whether one of the presets is this variant. */
export function isPreset(presets: Presets, variant: Variant): boolean {
  const text = formatVariant(variant);
  return presets.values().some((preset) => formatVariant(preset) === text);
}
