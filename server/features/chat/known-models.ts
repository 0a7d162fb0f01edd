import type { KeyAiLimits } from '#server/domain/access/key-ai-limits.ts';
import { shownValue } from '#server/domain/error-value.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { ChatModels } from './chat-models.ts';
import { embeddingsName } from './embedding-model.ts';

/** The names of the gateway's models, with that of the embeddings model. */
export type KnownModels = Pick<ChatModels, 'names' | 'find'>;

/** @param hasEmbeddings whether the operator has named an embeddings model */
export function knownModels(models: KnownModels, hasEmbeddings: boolean): KnownModels {
  if (!hasEmbeddings) return models;
  return {
    names: () => [...models.names(), embeddingsName],
    find: (name) => (name === embeddingsName ? embeddingsName : models.find(name)),
  };
}

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
