import { nextTurn } from '../next-turn.ts';
import type { ChatTurn } from './conversation.ts';
import { countMerged } from './merge-bytes.ts';
import { textParts } from './text-parts.ts';
import { loadVocabulary, type Vocabulary } from './vocabulary.ts';

/** What a model's chat template puts around each message, tool or schema, generously. */
const tokensAround = 8;

/** A long run is first counted in blocks of this many characters, to find out early that it cannot fit. */
const blockCharacters = 4096;

/**
 * Cutting a run adds a few tokens to a block of dozens or hundreds. More than this over the limit is no doing of the
 * cuts.
 */
const surelyOver = 1.25;

/** After so long others get their turn. */
const turnMs = 1;

/** What the model reads of a request, and what rides on it to the model's server. */
export type Countable = Pick<ChatTurn, 'messages' | 'tools' | 'responseFormat' | 'stop'>;

export interface Counting {
  /** Above it only the fact matters, not by how much. */
  readonly limitTokens: number;
  /** Whose request it is: of one account one is counted at a time. */
  readonly accountId: string;
  /** Ends the counting, which throws its reason. */
  readonly signal: AbortSignal;
}

/**
 * An upper estimate of a request in tokens. No vocabulary makes more tokens than there are bytes, so where the bytes
 * fit into the limit they are the estimate; otherwise {@link countInputTokens} counts.
 */
export async function estimateInputTokens(request: Countable, counting: Counting): Promise<number> {
  let tokens = 0;
  for (const text of textsOf(request)) {
    tokens += Buffer.byteLength(text);
    if (tokens > counting.limitTokens) return countInputTokens(request, counting);
  }
  return tokens;
}

/**
 * Counts a request in tokens of a common vocabulary, exactly, up to the limit. Holds the event loop for some
 * milliseconds at a time, whatever the text is and however many count at once.
 */
export async function countInputTokens(
  request: Countable,
  { limitTokens, accountId, signal }: Counting,
): Promise<number> {
  const vocabulary = await loadVocabulary();
  return afterOthers(accountId, async () => {
    const turns = await turnsOf(signal);
    let tokens = 0;
    for (const text of textsOf(request)) {
      for (const { text: part, isLong } of textParts(text, vocabulary.pieceExpression)) {
        tokens += isLong ? await countLong(part, vocabulary, limitTokens - tokens, turns) : vocabulary.countShort(part);
        if (tokens > limitTokens) return tokens;
        if (turns.isOver()) await turns.next();
      }
    }
    return tokens;
  });
}

/**
 * What a model's chat template adds to a request, generously: it is held and not counted, since each model has another.
 */
export function templateTokens({ messages, tools = [], responseFormat }: Countable): number {
  return tokensAround * (messages.length + tools.length + (responseFormat?.type === 'json_schema' ? 1 : 0));
}

/** One unbroken run. More than the limit where it surely is more. */
async function countLong(run: string, { byteRanks }: Vocabulary, limitTokens: number, turns: Turns): Promise<number> {
  const ranks = await byteRanks();
  const merged = async (text: string): Promise<number> => {
    for (const counted = countMerged(text, ranks); ;) {
      const step = counted.next();
      if (step.done) return step.value;
      if (turns.isOver()) await turns.next();
    }
  };
  let inBlocks = 0;
  for (let start = 0; start < run.length; start += blockCharacters) {
    inBlocks += await merged(run.slice(start, start + blockCharacters));
    if (inBlocks > limitTokens * surelyOver) return limitTokens + 1;
  }
  return run.length <= blockCharacters ? inBlocks : merged(run);
}

/**
 * Loads the vocabulary and counts a little with it. It takes a tenth of a second: to be called before a request needs
 * it.
 */
export async function warmTokenCounter(): Promise<void> {
  const content = 'Cubby keeps files. qzxjkvbwpfgyhm 漢字文章語彙 😀\n'.repeat(100);
  await countInputTokens(
    { messages: [{ role: 'user', content }] },
    { limitTokens: Infinity, accountId: '', signal: new AbortController().signal },
  );
}

const counting = new Map<string, Promise<unknown>>();

/**
 * Does the work once that of the same account is done which came before, so that one with many requests gets no more
 * turns than others.
 */
async function afterOthers<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  const mine = (counting.get(accountId) ?? Promise.resolve()).then(work, work);
  counting.set(accountId, mine);
  try {
    return await mine;
  } finally {
    if (counting.get(accountId) === mine) counting.delete(accountId);
  }
}

/** Turns of the event loop in which nobody else counts. */
interface Turns {
  isOver(): boolean;
  /** Throws when nobody waits any more. */
  next(): Promise<void>;
}

/** Resolves in the first of its turns. */
async function turnsOf(signal: AbortSignal): Promise<Turns> {
  let since = 0;
  const turns: Turns = {
    isOver: () => performance.now() - since >= turnMs,
    async next() {
      await ownTurn();
      signal.throwIfAborted();
      since = performance.now();
    },
  };
  await turns.next();
  return turns;
}

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a turn of the event loop in which nobody else counts. In order, so that no long text keeps a short one
 * waiting.
 */
function ownTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(nextTurn);
  return lastTurn;
}

function* textsOf({ messages, tools = [], responseFormat, stop = [] }: Countable): Generator<string> {
  for (const message of messages) {
    if (message.content !== null) yield message.content;
    if ('name' in message && message.name !== undefined) yield message.name;
    if (message.role === 'tool') yield message.toolCallId;
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls ?? []) yield `${call.id} ${call.name} ${call.arguments}`;
  }
  for (const tool of tools) yield JSON.stringify(tool);
  if (responseFormat?.type === 'json_schema') yield JSON.stringify(responseFormat);
  yield* stop;
}
