import type { ChatHandlers } from '#generated/router.ts';
import type { ApiKey } from '#server/domain/access/api-key.ts';
import type { KnownModels } from '#server/domain/access/known-models.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import { mayUseModel } from '../models/allowed-model.ts';
import type { ChatModels } from '../models/chat-models.ts';
import type { EmbeddingModel } from '../models/embedding-model.ts';
import { knownModels } from '../models/known-models.ts';
import { quotaOf, type AiLimitsOfPlans } from './chat-quotas.ts';
import { chatModel, chatModels, messagesModel, messagesModels } from './model-entries.ts';

export interface ModelDeps {
  readonly models: ChatModels;
  /** Undefined when the operator has named none. */
  readonly embeddings: EmbeddingModel | undefined;
  limitsOfPlans(): AiLimitsOfPlans;
}

/** Returns the handlers that show the models of a key, in the form that its client speaks. */
export function modelHandlers(deps: ModelDeps): Pick<ChatHandlers<Call>, 'listModels' | 'getModel'> {
  return {
    async listModels(_input, { caller: { account, key }, speaksMessages }) {
      const ids = modelsOf(deps, key);
      return {
        status: 200,
        body: speaksMessages ? messagesModels(ids, quotaOf(account, deps.limitsOfPlans())) : chatModels(ids),
      };
    },

    async getModel({ path }, { caller: { account, key }, speaksMessages }) {
      // Some clients look up what they are told to ask, which may be an alias.
      const id = knownOf(deps).find(path.model);
      if (id === undefined || !mayUseModel(deps.models, key.ai, id)) throw new Refusal('model_not_found');
      return {
        status: 200,
        body: speaksMessages ? messagesModel(id, quotaOf(account, deps.limitsOfPlans())) : chatModel(id),
      };
    },
  };
}

function knownOf({ models, embeddings }: Pick<ModelDeps, 'models' | 'embeddings'>): KnownModels {
  return knownModels(models, embeddings !== undefined);
}

/** Returns the names of the models that a key may use. */
function modelsOf(deps: Pick<ModelDeps, 'models' | 'embeddings'>, key: Pick<ApiKey, 'ai'>): readonly string[] {
  return knownOf(deps)
    .names()
    .filter((id) => mayUseModel(deps.models, key.ai, id));
}
