import type { SearchResult } from './web-search.ts';
import { extendChat } from './admit-chat.ts';
import type { ConverseDeps, Progress } from './completion.ts';
import type { ChatAnswer, ChatMessage, ChatTurn, TokenUsage } from './conversation.ts';
import { countInputTokens, estimateInputTokens, templateTokens, type Counting } from './count-tokens.ts';
import { searchMessages, shownResults, webSearchTool, type SearchOutcome } from './web-search-tool.ts';

/** Results of each search that are tried, one after the other, until all of it fits. */
const resultsTried = [8, 4, 2, 1, 0];

interface Searched {
  readonly answer: ChatAnswer;
  readonly outcomes: readonly SearchOutcome[];
}

/** Not even the conversation as it was fits once more; with what the searches found. */
interface Over {
  readonly isOver: true;
  readonly found: readonly SearchResult[];
}

/**
 * Hands over what was found, as much of it as fits the context window and the budgets, and reserves room for the round
 * that reads it. Where nothing of it fits, the model is asked once more as before, to answer without.
 */
export async function nextRound(
  deps: ConverseDeps,
  turn: ChatTurn,
  before: Progress,
  searched: Searched,
  usedSoFar: TokenUsage,
  signal: AbortSignal,
): Promise<Progress | Over> {
  const { account, limits } = before.admission.ask;
  const counting: Counting = { limitTokens: limits.contextTokens, accountId: account.id, signal };
  const roundOf = (messages: readonly ChatMessage[]) => ({
    ...turn,
    messages,
    tools: [...(turn.tools ?? []), webSearchTool],
  });
  const extend = (messages: readonly ChatMessage[], inputTokens: number) => {
    const round = roundOf(messages);
    const countClosely = async () => templateTokens(round) + (await countInputTokens(round, counting));
    return extendChat(deps, before.admission, {
      usedSoFar,
      inputTokens,
      maxOutputTokens: turn.maxOutputTokens,
      countClosely,
    });
  };
  const mark = deps.ids.opaqueId();
  for (const resultsEach of resultsTried) {
    const messages = [
      ...before.messages,
      ...searchMessages(searched.answer.text, searched.outcomes, resultsEach, mark),
    ];
    const round = roundOf(messages);
    const textTokens = await estimateInputTokens(round, counting);
    if (textTokens > limits.contextTokens) continue;
    const admission = await extend(messages, textTokens + templateTokens(round));
    if (admission)
      return {
        ...before,
        messages,
        admission,
        found: [...before.found, ...shownResults(searched.outcomes, resultsEach)],
      };
  }
  const admission = await extend(before.messages, before.admission.inputTokens);
  if (admission) return { ...before, admission, hasRoom: false };
  return { isOver: true, found: [...before.found, ...shownResults(searched.outcomes, resultsTried[0]!)] };
}
