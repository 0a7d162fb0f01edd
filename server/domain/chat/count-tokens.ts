import { nextTurn } from '../next-turn.ts';
import type { ChatTurn } from './conversation.ts';

/** What a model's chat template puts around each message, tool or schema, generously. */
const tokensAround = 8;

/** Counting is quadratic on unbroken runs, so no run is longer than this many characters. Cutting words counts a little more. */
const sliceCharacters = 256;

/** After so long others get their turn. */
const turnMs = 1;

/** Results that the counter remembers; it would keep a hundred thousand of whatever callers send. */
const rememberedRuns = 1000;

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
 * An upper estimate of a request in tokens. No vocabulary makes more tokens than there are bytes, so where the bytes fit into
 * the limit they are the estimate; otherwise {@link countInputTokens} counts.
 */
export async function estimateInputTokens(request: Countable, counting: Counting): Promise<number> {
  let tokens = tokensBeside(request);
  for (const text of textsOf(request)) {
    tokens += Buffer.byteLength(text);
    if (tokens > counting.limitTokens) return countInputTokens(request, counting);
  }
  return tokens;
}

/**
 * Counts a request in tokens of a common vocabulary, a little generously, up to the limit. Holds the event loop for some
 * milliseconds at a time, whatever the text is and however many count at once.
 *
 * @see design/toolchain.md, "AI"
 */
export async function countInputTokens(request: Countable, { limitTokens, accountId, signal }: Counting): Promise<number> {
  const countText = await warmTokenCounter();
  return afterOthers(accountId, async () => {
    let tokens = tokensBeside(request);
    await ownTurn();
    signal.throwIfAborted();
    let since = performance.now();
    for (const text of textsOf(request)) {
      for (let start = 0; start < text.length; start += sliceCharacters) {
        tokens += countText(text.slice(start, start + sliceCharacters));
        if (tokens > limitTokens) return tokens;
        if (performance.now() - since < turnMs) continue;
        await ownTurn();
        signal.throwIfAborted();
        since = performance.now();
      }
    }
    return tokens;
  });
}

const counting = new Map<string, Promise<unknown>>();

/** Does the work once that of the same account is done which came before, so that one with many requests gets no more turns than others. */
async function afterOthers<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  const mine = (counting.get(accountId) ?? Promise.resolve()).then(work, work);
  counting.set(accountId, mine);
  try {
    return await mine;
  } finally {
    if (counting.get(accountId) === mine) counting.delete(accountId);
  }
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** Resolves in a turn of the event loop in which nobody else counts. In order, so that no long text keeps a short one waiting. */
function ownTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(nextTurn);
  return lastTurn;
}

function tokensBeside({ messages, tools = [], responseFormat }: Countable): number {
  return tokensAround * (messages.length + tools.length + (responseFormat?.type === 'json_schema' ? 1 : 0));
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

type Counter = (text: string) => number;
let counter: Promise<Counter> | undefined;

/** Loads the vocabulary, once. It takes a tenth of a second: to be called before a request needs it. */
export function warmTokenCounter(): Promise<Counter> {
  counter ??= loadCounter().catch((error: unknown) => {
    counter = undefined;
    throw error;
  });
  return counter;
}

async function loadCounter(): Promise<Counter> {
  const { countTokens, setMergeCacheSize } = await import('gpt-tokenizer/encoding/cl100k_base');
  setMergeCacheSize(rememberedRuns);
  // Marks such as <|endoftext|> are text like any other here.
  const asText = { disallowedSpecial: new Set<string>() };
  const count: Counter = (text) => countTokens(text, asText);
  // The first counts are compiled while they run, and take ten times as long as later ones: better now than in a request.
  for (const text of ['cubby keeps files. ', 'qzxjkvbwpfgyhm', '漢字文章語彙', '😀']) count(text.repeat(sliceCharacters).slice(0, sliceCharacters));
  return count;
}
