import type { KnownModels } from '#server/domain/access/known-models.ts';
import { embeddingsName } from './embedding-model.ts';

/**
 * Returns the names of the gateway's models, with that of the embeddings model.
 *
 * @param hasEmbeddings whether the operator has named an embeddings model
 */
export function knownModels(models: KnownModels, hasEmbeddings: boolean): KnownModels {
  if (!hasEmbeddings) return models;
  return {
    names: () => [...models.names(), embeddingsName],
    find: (name) => (name === embeddingsName ? embeddingsName : models.find(name)),
  };
}
