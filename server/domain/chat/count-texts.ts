import { nextTurn } from '../next-turn.ts';
import { countMerged } from './merge-bytes.ts';
import { textParts } from './text-parts.ts';
import { byteRanks, countShort, pieceExpression } from './vocabulary.ts';

/** A long run is first counted in blocks of this many characters, to find out early that it cannot fit. */
const blockCharacters = 4096;

/**
 * Cutting a run adds a few tokens to a block of dozens or hundreds. More than this over the limit is no doing of the
 * cuts.
 */
const surelyOver = 1.25;

/** After so long other counts get their turn. */
const turnMs = 1;

/** Texts to count. */
export interface Texts {
  readonly texts: readonly string[];
  /** Above it only the fact matters, not by how much. */
  readonly limitTokens: number;
  /** Of one account one request is counted at a time. */
  readonly accountId: string;
}

/**
 * Counts texts in tokens of a common vocabulary, exactly, up to the limit. Counts that run at once take turns of a
 * millisecond.
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

/** Counts one unbroken run. Returns more than the limit where it surely is more. */
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
  return run.length <= blockCharacters ? inBlocks : merged(run);
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
