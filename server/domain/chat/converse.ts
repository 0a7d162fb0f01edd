import type { ChatAdmission } from './admit-chat.ts';
import { askStreamed, askWhole, roundOf } from './ask-model.ts';
import type { ChatDelta } from './chat-delta.ts';
import { citeSources } from './citations.ts';
import type { Completion, ConverseDeps, Progress } from './completion.ts';
import type { ChatAnswer, ChatTurn } from './conversation.ts';
import type { ChatMeter } from './meter.ts';
import { nextRound } from './next-round.ts';
import type { ShownAnswer } from './shown-answer.ts';
import { isWebSearch, maxSearchRounds, runSearches, type SearchOutcome } from './web-search-tool.ts';

/**
 * Asks the model, runs the searches that it calls for, and asks again with their results. At most `maxSearchRounds`
 * rounds offer the search, and one more follows without it. It ends when the model calls functions of the caller,
 * because only the caller can run those. The searches of that message are dropped. Calls of functions that were not
 * offered are dropped too.
 *
 * @param shown makes the model stream, and decides which pieces are yielded. Without it nothing is yielded
 * @throws the errors of the model
 */
export async function* converse(
  deps: ConverseDeps,
  turn: ChatTurn,
  admission: ChatAdmission,
  meter: ChatMeter,
  signal: AbortSignal,
  shown?: ShownAnswer,
): AsyncGenerator<ChatDelta, Completion> {
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
    const round = roundOf(turn, progress, isOffered);
    const answer = shown
      ? yield* askStreamed(deps, round, meter, signal, shown)
      : await askWhole(deps, round, meter, signal);
    const calls = answer.toolCalls.filter(({ name }) => own.has(name));
    const searches = isOffered ? answer.toolCalls.filter(isWebSearch) : [];
    if (!search || searches.length === 0 || calls.length > 0)
      return yield* completed(answer, calls, progress, meter, shown);
    const outcomes = await runSearches(search, searches, signal);
    const searched = { ...progress, searches: counted(progress.searches, outcomes) };
    const next = await nextRound(deps, turn, searched, { answer, outcomes }, meter.usage, signal);
    // Another round does not fit, so the caller gets the last answer.
    if ('isOver' in next)
      return yield* completed(
        { ...answer, finishReason: 'stop' },
        [],
        { ...searched, found: next.found },
        meter,
        shown,
      );
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

/** Yields the text that is still held back, and returns the caller's answer without calls of the gateway's search. */
async function* completed(
  answer: ChatAnswer,
  toolCalls: ChatAnswer['toolCalls'],
  { found, searches }: Progress,
  { usage, rounds }: ChatMeter,
  shown: ShownAnswer | undefined,
): AsyncGenerator<ChatDelta, Completion> {
  if (shown) yield* shown.release();
  const text = shown ? shown.text : answer.text;
  const counts = { usage, rounds, searches };
  if (toolCalls.length > 0 && answer.finishReason === 'tool_calls')
    return { text: text || null, toolCalls, finishReason: 'tool_calls', ...counts };
  const finishReason = answer.finishReason === 'tool_calls' ? 'stop' : answer.finishReason;
  const cited = citeSources(text ?? '', found, { isWhole: finishReason === 'stop', isSent: shown !== undefined });
  if (shown) yield* shown.add(cited.text.slice(shown.text.length));
  return {
    text: cited.text,
    toolCalls,
    finishReason,
    ...counts,
    ...(cited.citations.length > 0 && { citations: cited.citations }),
  };
}
