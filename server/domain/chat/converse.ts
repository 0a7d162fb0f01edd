import { Refusal } from '../refusal.ts';
import type { ChatAdmission } from './admit-chat.ts';
import { boundedUsage } from './bounded-usage.ts';
import { citeSources } from './citations.ts';
import type { Completion, ConverseDeps, Progress } from './completion.ts';
import type { ChatAnswer, ChatTurn } from './conversation.ts';
import type { ChatMeter } from './meter.ts';
import { nextRound } from './next-round.ts';
import { isWebSearch, maxSearchRounds, runSearches, webSearchTool, type SearchOutcome } from './web-search-tool.ts';

/**
 * Asks the model, runs the searches that it calls for, and asks again with their results. At most `maxSearchRounds`
 * rounds offer the search, and one more follows without it. It ends when the model calls functions of the caller,
 * because only the caller can run those. The searches of that message are dropped. Calls of functions that were not
 * offered are dropped too.
 *
 * @throws the errors of the model
 */
export async function converse(
  deps: ConverseDeps,
  turn: ChatTurn,
  admission: ChatAdmission,
  meter: ChatMeter,
  signal: AbortSignal,
): Promise<Completion> {
  const { search } = deps;
  const own = new Set((turn.tools ?? []).map(({ name }) => name));
  let progress: Progress = {
    messages: turn.messages,
    admission,
    found: [],
    searches: { answered: 0, failed: 0 },
    hasRoom: true,
  };
  for (;;) {
    const isOffered = search !== undefined && progress.hasRoom && meter.rounds < maxSearchRounds;
    const answer = await ask(deps, turn, progress, isOffered, meter, signal);
    const calls = answer.toolCalls.filter(({ name }) => own.has(name));
    const searches = isOffered ? answer.toolCalls.filter(isWebSearch) : [];
    if (!search || searches.length === 0 || calls.length > 0) return completionOf(answer, calls, progress, meter);
    const outcomes = await runSearches(search, searches, signal);
    const searched = { ...progress, searches: counted(progress.searches, outcomes) };
    const next = await nextRound(deps, turn, searched, { answer, outcomes }, meter.usage, signal);
    // Another round does not fit, so the caller gets the last answer.
    if ('isOver' in next)
      return completionOf({ ...answer, finishReason: 'stop' }, [], { ...searched, found: next.found }, meter);
    progress = next;
  }
}

function counted(
  { answered, failed }: Completion['searches'],
  outcomes: readonly SearchOutcome[],
): Completion['searches'] {
  const failures = outcomes.filter(({ problem }) => problem !== undefined).length;
  return { answered: answered + outcomes.length - failures, failed: failed + failures };
}

/** Asks the model for one round, and adds its usage to the meter. */
async function ask(
  deps: ConverseDeps,
  turn: ChatTurn,
  progress: Progress,
  isOffered: boolean,
  meter: ChatMeter,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const { messages, admission } = progress;
  const round: ChatTurn = { ...turn, messages, maxOutputTokens: admission.maxOutputTokens };
  const asked = withTools(round, isOffered, messages !== turn.messages);
  meter.asks(asked);
  const answer = await complete(deps, asked, isOffered ? round : undefined, meter, signal);
  const usage = boundedUsage(answer.usage, admission);
  if (usage.inputTokens < answer.usage.inputTokens || usage.outputTokens < answer.usage.outputTokens) {
    deps.onTrouble(
      'the server behind the AI gateway counted more tokens than the request can have come to: less is charged',
      {
        counted_input_tokens: answer.usage.inputTokens,
        counted_output_tokens: answer.usage.outputTokens,
        charged_input_tokens: usage.inputTokens,
        charged_output_tokens: usage.outputTokens,
      },
    );
  }
  meter.answers(usage);
  return answer;
}

function withTools(round: ChatTurn, isOffered: boolean, hasSearched: boolean): ChatTurn {
  const { tools = [] } = round;
  if (isOffered) return { ...round, tools: [...tools, webSearchTool] };
  // Some servers reject a conversation with calls unless the request offers their function.
  return hasSearched && tools.length === 0 ? { ...round, tools: [webSearchTool], toolChoice: 'none' } : round;
}

/**
 * Asks the model. If it rejects a request whose only tool is the gateway's search, asks once more `without` that tool.
 * The caller did not ask for it.
 */
async function complete(
  { model, onTrouble }: ConverseDeps,
  round: ChatTurn,
  without: ChatTurn | undefined,
  meter: ChatMeter,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const onBegun = () => meter.begins();
  try {
    return await model.complete(round, signal, onBegun);
  } catch (error) {
    const isOursAlone = without !== undefined && (without.tools ?? []).length === 0;
    if (!isOursAlone || !(error instanceof Refusal) || error.code !== 'invalid_request') throw error;
  }
  const answer = await model.complete(without, signal, onBegun);
  onTrouble(
    'the model takes no tools, so the AI gateway cannot offer it the web search: each request is sent twice; leave CUBBY_SEARCH_URL out',
  );
  return answer;
}

/** Makes the caller's answer, without the calls of the gateway's search. */
function completionOf(
  answer: ChatAnswer,
  toolCalls: ChatAnswer['toolCalls'],
  { found, searches }: Progress,
  { usage, rounds }: ChatMeter,
): Completion {
  const counts = { usage, rounds, searches };
  if (toolCalls.length > 0) return { text: answer.text, toolCalls, finishReason: 'tool_calls', ...counts };
  const finishReason = answer.finishReason === 'tool_calls' ? 'stop' : answer.finishReason;
  const cited = citeSources(answer.text ?? '', found, finishReason === 'stop');
  return {
    text: cited.text,
    toolCalls,
    finishReason,
    ...counts,
    ...(cited.citations.length > 0 && { citations: cited.citations }),
  };
}
