import type { SearchResult } from '../search/web-search.ts';
import { extendChat } from '../reservations/admit-chat.ts';
import type { ConverseDeps, Progress } from './completion.ts';
import type { ChatAnswer, ChatMessage, ChatTurn, TokenUsage } from '../conversation/conversation.ts';
import { countInputTokens, estimateInputTokens, templateTokens, type Counting } from '../tokens/count-tokens.ts';
import { searchMessages, shownResults, webSearchTool, type SearchOutcome } from '../search/web-search-tool.ts';

/** How many results of each search are shown to the model: the first number that fits. */
const resultsTried = [8, 4, 2, 1, 0];

/** A round whose answer calls for searches, and their outcomes. */
interface Searched {
  readonly turn: ChatTurn;
  readonly before: Progress;
  readonly answer: ChatAnswer;
  readonly outcomes: readonly SearchOutcome[];
  readonly usedSoFar: TokenUsage;
  readonly signal: AbortSignal;
}

/** The outcome when not even the conversation without the results fits once more. */
interface Over {
  readonly isOver: true;
  readonly found: readonly SearchResult[];
}

/**
 * Prepares and reserves the round in which the model reads the results, as many as fit into the context window and the
 * budgets. If no result fits, the model is told so. If that does not fit either, the next round asks the same
 * conversation again, without the search.
 */
export async function prepareRound(
  deps: ConverseDeps,
  { turn, before, answer, outcomes, usedSoFar, signal }: Searched,
): Promise<Progress | Over> {
  const { account, quota } = before.admission.ask;
  const counting: Counting = { limitTokens: quota.contextTokens, accountId: account.id, signal };
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
    const messages = [...before.messages, ...searchMessages(answer, outcomes, resultsEach, mark)];
    const round = roundOf(messages);
    const textTokens = await estimateInputTokens(round, counting);
    if (textTokens > quota.contextTokens) continue;
    const admission = await extend(messages, textTokens + templateTokens(round));
    if (admission)
      return {
        ...before,
        messages,
        admission,
        found: [...before.found, ...shownResults(outcomes, resultsEach)],
      };
  }
  const admission = await extend(before.messages, before.admission.inputTokens);
  if (admission) return { ...before, admission, fitsMoreResults: false };
  return { isOver: true, found: [...before.found, ...shownResults(outcomes, resultsTried[0]!)] };
}
