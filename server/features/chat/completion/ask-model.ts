import { Refusal } from '#server/domain/refusal.ts';
import { boundedUsage } from './bounded-usage.ts';
import type { ChatDelta, ModelDelta } from '../conversation/chat-delta.ts';
import { countedUsage } from './charge-unanswered.ts';
import type { ConverseDeps, Progress } from './completion.ts';
import type { ChatAnswer, ChatTurn, TokenUsage } from '../conversation/conversation.ts';
import type { Emit } from '../conversation/handed-out.ts';
import type { ChatMeter, ReservedTokens } from './meter.ts';
import type { ShownAnswer } from './shown-answer.ts';
import { webSearchTool } from '../search/web-search-tool.ts';

/** One question to the model. */
interface Round {
  readonly turn: ChatTurn;
  /** The same without the gateway's search, if that is offered. */
  readonly without: ChatTurn | undefined;
  readonly reserved: ReservedTokens;
  readonly accountId: string;
}

/** Makes the next round of a conversation. */
export function roundOf(turn: ChatTurn, { messages, admission }: Progress, isSearchOffered: boolean): Round {
  const round: ChatTurn = { ...turn, messages, maxOutputTokens: admission.maxOutputTokens };
  return {
    turn: withTools(round, isSearchOffered, messages !== turn.messages),
    without: isSearchOffered ? round : undefined,
    reserved: admission,
    accountId: admission.lease.accountId,
  };
}

function withTools(round: ChatTurn, isOffered: boolean, hasSearched: boolean): ChatTurn {
  const { tools = [] } = round;
  if (isOffered) return { ...round, tools: [...tools, webSearchTool] };
  if (!hasSearched) return round;
  // Some servers reject a conversation with calls unless the request offers their function.
  const named = tools.length === 0 ? ({ tools: [webSearchTool], toolChoice: 'none' } as const) : {};
  // A model that only wants to search again has sources by now, and they are shown.
  return { ...round, ...named, allowsOnlyCalls: true };
}

/** What makes the model stream: which pieces its reader gets, and how. */
export interface Streaming {
  readonly shown: ShownAnswer;
  readonly emit: Emit<ChatDelta>;
}

/** Counts what the model does for a request, and ends it. */
export interface RoundControl {
  readonly meter: ChatMeter;
  readonly signal: AbortSignal;
}

/** Asks the model for a whole answer, and adds its usage to the meter. */
export async function askWhole(deps: ConverseDeps, round: Round, { meter, signal }: RoundControl): Promise<ChatAnswer> {
  meter.asks(round.turn, round.reserved);
  const answer = await askModel(deps, round, (turn) => deps.model.complete(turn, signal, () => meter.begins()));
  meter.answers(chargeable(deps, answer.usage, round.reserved));
  return answer;
}

/** Asks the model for a stream. Hands out what its reader gets, and adds its usage to the meter. */
export async function askStreamed(
  deps: ConverseDeps,
  round: Round,
  { meter, signal }: RoundControl,
  { shown, emit }: Streaming,
): Promise<ChatAnswer> {
  const isSearchOffered = round.without !== undefined;
  meter.asks(round.turn, round.reserved);
  shown.begin(isSearchOffered);
  let hasBegun = false;
  const take = async (delta: ModelDelta): Promise<void> => {
    hasBegun = true;
    meter.hears(delta);
    if (delta.type === 'usage' || delta.type === 'end') return;
    for (const piece of shown.next(delta, isSearchOffered)) await emit(piece);
  };
  await askModel(
    deps,
    round,
    (turn) => deps.model.stream(turn, signal, { emit: take, onBegun: () => meter.begins() }),
    () => !hasBegun,
  );
  const { received } = meter;
  const counting = { limitTokens: Infinity, accountId: round.accountId, signal };
  const usage = received.usage ?? (await countedUsage(round.turn, received, counting));
  const answer = received.answer(usage);
  meter.answers(chargeable(deps, usage, round.reserved));
  return answer;
}

/**
 * Asks the model. If it rejects a request whose only tool is the gateway's search, asks once more `without` that tool.
 * The caller did not ask for it.
 *
 * @param mayRepeat whether nothing of an answer has come so far
 */
async function askModel<T>(
  { onTrouble }: ConverseDeps,
  { turn, without }: Round,
  ask: (turn: ChatTurn) => Promise<T>,
  mayRepeat: () => boolean = () => true,
): Promise<T> {
  try {
    return await ask(turn);
  } catch (error) {
    const isOursAlone = without !== undefined && (without.tools ?? []).length === 0;
    if (!isOursAlone || !mayRepeat() || !(error instanceof Refusal) || error.code !== 'invalid_request') throw error;
  }
  const answer = await ask(without);
  onTrouble(
    'the model takes no tools, so the AI gateway cannot offer it the web search: each request is sent twice; ' +
      'leave CUBBY_SEARCH_URL out',
  );
  return answer;
}

/** Returns the usage that may be charged, and tells the operator if the model's server counted more. */
function chargeable({ onTrouble }: ConverseDeps, counted: TokenUsage, reserved: ReservedTokens): TokenUsage {
  const usage = boundedUsage(counted, reserved);
  if (usage.inputTokens < counted.inputTokens || usage.outputTokens < counted.outputTokens) {
    onTrouble(
      'the server behind the AI gateway counted more tokens than the request can have come to: less is charged',
      {
        counted_input_tokens: counted.inputTokens,
        counted_output_tokens: counted.outputTokens,
        charged_input_tokens: usage.inputTokens,
        charged_output_tokens: usage.outputTokens,
      },
    );
  }
  return usage;
}
