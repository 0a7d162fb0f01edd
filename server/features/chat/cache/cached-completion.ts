import type { AnswerCache, CachedAnswer, CacheOutcome, CacheUse, CacheWish } from './answer-cache.ts';
import { cacheKeyOf } from './cache-key.ts';
import type { ChatDelta } from '../conversation/chat-delta.ts';
import type { Completion } from '../completion/completion.ts';
import type { ChatTurn } from '../conversation/conversation.ts';
import { sealedLength } from '../conversation/sealed.ts';

/** The parts of a request that its answer depends on, and who may get the same answer again. */
interface Question {
  readonly accountId: string;
  readonly keyId: string;
  /** The name under which callers know the model. */
  readonly model: string;
  /** See `NamedModel`. */
  readonly origin: string;
  readonly turn: ChatTurn;
  /** Whether the model is offered the gateway's search. */
  readonly isSearchOffered: boolean;
}

/** The place of one question in the cache. */
interface CachePlace {
  /** Returns the kept answer as one that costs nothing. */
  find(): Completion | undefined;
  /** Keeps an answer, if it may be kept. */
  keep(completion: Completion): void;
}

const nowhere: CachePlace = { find: () => undefined, keep() {} };

/**
 * Finds the place of a question. Only questions with `temperature` 0 have one: others ask for another answer each time.
 * Nothing is shared between accounts or keys.
 */
export function placeInCache(
  { cache, onCache = () => {} }: CacheUse,
  question: Question,
  wish: CacheWish = 'use',
): CachePlace {
  if (!cache) return nowhere;
  const why = wish === 'none' ? 'no-store' : question.turn.temperature !== 0 ? 'temperature' : undefined;
  if (why) {
    onCache({ type: 'bypass', why });
    return nowhere;
  }
  const key = cacheKeyOf({ operation: 'chat', ...question });
  const missed: CacheOutcome = wish === 'refresh' ? { type: 'bypass', why: 'no-cache' } : { type: 'miss' };
  return {
    find() {
      const found = wish === 'use' ? cache.find(key) : undefined;
      const answer = found?.value.answer;
      if (!found || !answer) return void onCache(missed);
      onCache({ type: 'hit', ageMs: found.ageMs, leftMs: found.leftMs });
      return { ...answer, rounds: 0, searches: { answered: 0, failed: 0 }, isCached: true };
    },
    keep: (completion) => onCache({ ...missed, isStored: isKept(cache, key, completion) }),
  };
}

/** Results of a search change, and an answer that was cut off may come whole the next time. */
function isKept(cache: AnswerCache, key: string, { searches, ...completion }: Completion): boolean {
  const { text, toolCalls, finishReason, usage, reasoning, sealed } = completion;
  const isWhole = finishReason === 'stop' || finishReason === 'tool_calls';
  if (!isWhole || searches.answered + searches.failed > 0) return false;
  const thoughts = { ...(reasoning && { reasoning }), ...(sealed && { sealed }) };
  const answer: CachedAnswer = { text, toolCalls, finishReason, usage, ...thoughts };
  return cache.keep(key, { answer }, sizeOf(answer));
}

/** Two bytes for each UTF-16 code unit, and some for the objects around them. */
function sizeOf({ text, toolCalls, reasoning, sealed }: CachedAnswer): number {
  const calls = toolCalls.reduce(
    (sum, call) => sum + 128 + call.id.length + call.name.length + call.arguments.length + sealedLength(call.sealed),
    0,
  );
  return 512 + 2 * ((reasoning?.text.length ?? 0) + sealedLength(sealed) + (text?.length ?? 0) + calls);
}

/**
 * A stream comes in pieces of up to this many characters. With `u` no piece ends within a surrogate pair, which is no
 * text.
 */
const pieces = /[^]{1,256}/gu;

/** Returns a kept answer as the pieces of a stream. */
export function* piecesOf({ text, toolCalls, reasoning, sealed }: Completion): Generator<ChatDelta, void> {
  if (reasoning)
    for (const [piece] of reasoning.text.matchAll(pieces)) yield { ...reasoning, type: 'reasoning', text: piece };
  if (sealed) yield { type: 'sealed', sealed };
  for (const [piece] of (text ?? '').matchAll(pieces)) yield { type: 'text', text: piece };
  for (const [index, { arguments: json, ...call }] of toolCalls.entries()) {
    yield { type: 'call', index, ...call };
    yield { type: 'arguments', index, text: json };
  }
}
