import type { ChatAdmission } from '../reservations/admit-chat.ts';
import { askStreamed, askWhole, roundOf, type RoundControl, type Streaming } from './ask-model.ts';
import { ChatModelUnavailable } from '../models/chat-model.ts';
import { citeSources } from '../search/citations.ts';
import type { Completion, ConverseDeps, Progress } from './completion.ts';
import type { ChatAnswer, ChatReasoning, ChatTurn } from '../conversation/conversation.ts';
import { joinedReasoning } from '../conversation/reasoning.ts';
import type { ChatMeter } from './meter.ts';
import { prepareRound } from './prepare-round.ts';
import { isWebSearch, maxSearchRounds, runSearches, type SearchOutcome } from '../search/web-search-tool.ts';

/** An admitted request. */
export interface Conversing extends RoundControl {
  readonly turn: ChatTurn;
  readonly admission: ChatAdmission;
  /** Makes the model stream. Undefined: nothing is handed out. */
  readonly streaming: Streaming | undefined;
}

/**
 * Asks the model, runs the searches that it calls for, and asks again with their results. At most `maxSearchRounds`
 * rounds offer the search, and one more follows without it. It ends when the model calls functions of the caller,
 * because only the caller can run those. The searches of that message are dropped. Calls of functions that were not
 * offered are dropped too.
 *
 * @throws the errors of the model
 */
export async function converse(deps: ConverseDeps, conversing: Conversing): Promise<Completion> {
  const { search } = deps;
  const { turn, admission, meter, signal, streaming } = conversing;
  const own = new Set((turn.tools ?? []).map(({ name }) => name));
  const thoughts: Array<ChatReasoning | undefined> = [];
  let progress: Progress = {
    messages: turn.messages,
    admission,
    found: [],
    searches: { answered: 0, failed: 0 },
    fitsMoreResults: true,
  };
  for (;;) {
    const isOffered = search !== undefined && progress.fitsMoreResults && meter.rounds < maxSearchRounds;
    const round = roundOf(turn, progress, isOffered);
    const answer = streaming
      ? await askStreamed(deps, round, conversing, streaming)
      : await askWhole(deps, round, conversing);
    thoughts.push(answer.reasoning);
    const calls = answer.toolCalls.filter(({ name }) => own.has(name));
    const searches = isOffered ? answer.toolCalls.filter(isWebSearch) : [];
    if (!search || searches.length === 0 || calls.length > 0)
      return finish({ ...answer, ...thoughtsOf(thoughts), toolCalls: calls }, progress, meter, streaming);
    const outcomes = await runSearches(search, searches, signal);
    const searched = { ...progress, searches: counted(progress.searches, outcomes) };
    const next = await prepareRound(deps, { turn, before: searched, answer, outcomes, usedSoFar: meter.usage, signal });
    // Another round does not fit, so the caller gets the last answer.
    if ('isOver' in next) {
      // What is sealed belongs to the calls.
      const { sealed: _, ...said } = answer;
      streaming?.shown.dropSealed();
      const last = { ...said, ...thoughtsOf(thoughts), toolCalls: [], finishReason: 'stop' as const };
      return finish(last, { ...searched, found: next.found }, meter, streaming);
    }
    progress = next;
  }
}

/** The caller gets the thoughts of all rounds, as the reader of a stream does. */
function thoughtsOf(rounds: ReadonlyArray<ChatReasoning | undefined>): Pick<ChatAnswer, 'reasoning'> {
  const reasoning = joinedReasoning(rounds);
  return reasoning ? { reasoning } : {};
}

function counted(
  { answered, failed }: Completion['searches'],
  outcomes: readonly SearchOutcome[],
): Completion['searches'] {
  const failures = outcomes.filter(({ problem }) => problem !== undefined).length;
  return { answered: answered + outcomes.length - failures, failed: failed + failures };
}

/**
 * Hands out the text that is still pending, and returns the caller's answer.
 *
 * @param answer without calls of the gateway's search
 * @throws {ChatModelUnavailable} if neither text nor a call is left
 */
async function finish(
  answer: ChatAnswer,
  { found, searches }: Progress,
  { usage, rounds }: ChatMeter,
  streaming: Streaming | undefined,
): Promise<Completion> {
  const { toolCalls, reasoning, sealed } = answer;
  const shown = streaming?.shown;
  if (streaming) for (const piece of streaming.shown.release()) await streaming.emit(piece);
  const text = shown ? shown.text : answer.text;
  const counts = { usage, rounds, searches, ...(reasoning && { reasoning }), ...(sealed && { sealed }) };
  if (toolCalls.length > 0 && answer.finishReason === 'tool_calls')
    return { text: text || null, toolCalls, finishReason: 'tool_calls', ...counts };
  const finishReason = answer.finishReason === 'tool_calls' ? 'stop' : answer.finishReason;
  const cited = citeSources(text ?? '', found, { isWhole: finishReason === 'stop', isSent: shown !== undefined });
  if (cited.text === '' && finishReason === 'stop')
    throw new ChatModelUnavailable(
      'The model has written no text, and has called no function that the caller offered.',
    );
  if (streaming)
    for (const piece of streaming.shown.add(cited.text.slice(streaming.shown.text.length))) await streaming.emit(piece);
  return {
    text: cited.text,
    toolCalls,
    finishReason,
    ...counts,
    ...(cited.citations.length > 0 && { citations: cited.citations }),
  };
}
