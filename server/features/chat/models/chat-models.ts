import type { ChatModel } from './chat-model.ts';
import type { ModelPrices } from '../prices/model-prices.ts';
import { defaultModel } from './default-model.ts';

/** A model, and the name under which callers know it. */
export interface NamedModel {
  readonly name: string;
  readonly model: ChatModel;
  /** Changes when other servers or models get the name. Answers from before are then not repeated. */
  readonly origin: string;
  /** Undefined: its tokens cost nothing. */
  readonly prices?: ModelPrices | undefined;
}

/** The models of the gateway. They may change while a request runs, which keeps the one that it was given. */
export interface ChatModels {
  /** Returns the names to list, `cubic` first. */
  names(): readonly string[];
  /** Returns the listed name for a name or an alias; undefined if there is no such model. */
  find(name: string): string | undefined;
  /**
   * Returns the model for the name that a request sent, if it sent one.
   *
   * @throws model_not_found if the operator rejects unknown names
   */
  choose(name: string | null | undefined): NamedModel;
}

/** Returns a single model, which answers under any name. */
export function onlyModel(model: ChatModel): ChatModels {
  const named = { name: defaultModel, model, origin: '' };
  return {
    names: () => [defaultModel],
    find: (name) => (name === defaultModel ? defaultModel : undefined),
    choose: () => named,
  };
}
