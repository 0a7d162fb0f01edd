import { shownValue } from '../error-value.ts';
import { Refusal } from '../refusal.ts';
import type { KeyAiLimits } from './key-ai-limits.ts';

/** The models that the limits of a key may name. */
export interface KnownModels {
  /** Returns the names to list. */
  names(): readonly string[];
  /** Returns a model's listed name. Undefined for an unknown one. */
  find(name: string): string | undefined;
}

/** Those of a server without an AI gateway. */
export const noModels: KnownModels = { names: () => [], find: () => undefined };

/** The most names that the message lists. */
const maxListedModels = 8;

/**
 * Checks that the models in the limits of a key exist. With a mistyped name, the key could use no model.
 *
 * @throws INVALID_AI_LIMITS
 */
export function requireKnownModels(known: KnownModels, limits: Partial<Pick<KeyAiLimits, 'models'>>): void {
  const unknown = limits.models?.find((name) => known.find(name) === undefined);
  if (unknown === undefined) return;
  const names = known.names();
  const listed = names.slice(0, maxListedModels).join(', ');
  const more = names.length > maxListedModels ? ', …' : '';
  throw new Refusal('INVALID_AI_LIMITS', {
    message: `\`ai.models\` must name models of this server: ${listed}${more}. Got ${shownValue(unknown)}.`,
  });
}
