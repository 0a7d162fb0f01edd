import type { KeyAiLimits } from '#server/domain/access/key-ai-limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { ChatModels, NamedModel } from './chat-models.ts';

type ModelLimit = Pick<KeyAiLimits, 'models'> | null;

/**
 * Whether a key may use a model. A limit may name the model by any of its names, such as `cubic` for the default.
 *
 * @param name the listed name
 */
export function mayUseModel(models: ChatModels, limit: ModelLimit, name: string): boolean {
  const allowed = limit?.models;
  return !allowed || allowed.some((one) => one === name || isSame(models, one, name));
}

/** @throws model_not_allowed */
export function requireModel(models: ChatModels, limit: ModelLimit, name: string): void {
  if (!mayUseModel(models, limit, name))
    throw new Refusal('model_not_allowed', { detail: `It may use: ${limit!.models!.join(', ')}.` });
}

/**
 * Chooses the model that a request names.
 *
 * @throws model_not_found if the operator rejects unknown names
 * @throws model_not_allowed if the key may not use it
 */
export function allowedModel(models: ChatModels, limit: ModelLimit, name: string | null | undefined): NamedModel {
  const chosen = models.choose(name);
  requireModel(models, limit, chosen.name);
  return chosen;
}

function isSame(models: ChatModels, one: string, other: string): boolean {
  const known = models.find(one) !== undefined && models.find(other) !== undefined;
  return known && models.choose(one).name === models.choose(other).name;
}
