import { exclusiveTurns } from '#server/event-loop.ts';
import { countMerged } from './merge-bytes.ts';
import { textParts } from './text-parts.ts';
import { byteRanks, countShort, pieceExpression } from './vocabulary.ts';

/** A long run is first counted in blocks of this many characters, to reject it early. */
const blockCharacters = 4096;

/**
 * Cutting a run adds a few tokens to each block, which has dozens or hundreds. If the sum exceeds the limit by more
 * than this factor, the whole run exceeds it too.
 */
const surelyOver = 1.25;

/**
 * A run of more bytes is counted in blocks alone, which may give some tokens too many: a count of the whole takes 28
 * times its bytes. Only a file has such a run.
 */
const longestWholeBytes = 1_048_576;

/** How long a count runs before the next one takes its turn. */
const turnMs = 1;

/** Texts to count. */
export interface Texts {
  readonly texts: readonly string[];
  /** A count above this is not exact. */
  readonly limitTokens: number;
  /** One request of an account is counted at a time. */
  readonly accountId: string;
}

/**
 * Counts texts in tokens of a common vocabulary, exactly but for unbroken runs of megabytes, up to the limit.
 * Simultaneous counts take turns of a millisecond.
 *
 * @throws the signal's reason
 */
export function countTexts({ texts, limitTokens, accountId }: Texts, signal: AbortSignal): Promise<number> {
  return afterOthers(accountId, async () => {
    const turns = await turnsOf(signal);
    let tokens = 0;
    for (const text of texts) {
      for (const { text: part, isLong } of textParts(text, pieceExpression)) {
        tokens += isLong ? await countLong(part, limitTokens - tokens, turns) : countShort(part);
        if (tokens > limitTokens) return tokens;
        if (turns.isOver()) await turns.next();
      }
    }
    return tokens;
  });
}

/** Counts one unbroken run. Returns more than the limit as soon as the count surely exceeds it. */
async function countLong(run: string, limitTokens: number, turns: Turns): Promise<number> {
  const ranks = byteRanks();
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
  const isEnough = run.length <= blockCharacters || Buffer.byteLength(run) > longestWholeBytes;
  return isEnough ? inBlocks : merged(run);
}

const counting = new Map<string, Promise<unknown>>();

/**
 * Runs `work` after the earlier work of the same account, so that an account with many requests gets no more turns than
 * others.
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

/** Turns of the event loop in which no other count runs. */
interface Turns {
  isOver(): boolean;
  /** Waits for the next turn. Throws the signal's reason when the count was aborted. */
  next(): Promise<void>;
}

/** Waits for the first turn. */
async function turnsOf(signal: AbortSignal): Promise<Turns> {
  let since = 0;
  const turns: Turns = {
    isOver: () => performance.now() - since >= turnMs,
    async next() {
      await countTurn();
      signal.throwIfAborted();
      since = performance.now();
    },
  };
  await turns.next();
  return turns;
}

/** Turns of the event loop for counts. They come in order, so that a long text does not delay a short one. */
const countTurn = exclusiveTurns();
