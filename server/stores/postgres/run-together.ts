import type { AtomicOptions } from '#server/domain/ports/metadata.ts';
import { begin, type BeginOptions } from './begin.ts';
import { ConnectionLost, sqlState } from './database-errors.ts';
import { PieceRun } from './piece-run.ts';
import type { Piece } from './piece.ts';
import type { PostgresPool } from './pool.ts';
import type { Answer, Session } from './session.ts';
import { PostgresTransaction } from './transaction.ts';
import { isCommitted, type TransactionId } from './unknown-commit.ts';

/** What became of a piece: its run and result, or only the error that it failed with. Then it has left nothing. */
export interface Outcome {
  readonly piece: Piece;
  readonly run: PieceRun | undefined;
  readonly result: unknown;
}

interface TogetherOptions extends BeginOptions {
  readonly pool: PostgresPool;
  /** Throws while this process must not write. */
  readonly requireLive?: () => void;
  /** The `performance.now()` at which the wait for the lock ends. Later, each statement has a deadline of its own. */
  readonly giveUpAt: number;
  /** Runs the work of a piece. */
  readonly work: (run: PieceRun, piece: Piece) => Promise<unknown>;
}

/**
 * Runs pieces of the same account one after another in one transaction. It takes two round trips if they only look rows
 * up and write: their look-ups travel with its begin, and their writes with its commit.
 *
 * @returns the outcomes, which are committed. A piece that fails is undone alone
 * @throws the error of the database, or of the only piece. Nothing was written then
 */
export async function runTogether(
  session: Session,
  pieces: readonly Piece[],
  options: TogetherOptions,
): Promise<readonly Outcome[]> {
  const transaction = new PostgresTransaction(session);
  const timer = setTimeout(() => session.destroy(), options.giveUpAt - performance.now());
  const begun = begin(session, transaction, optionsOf(pieces), options).finally(() => clearTimeout(timer));
  let outcomes: readonly Outcome[];
  let commit: Promise<Answer>;
  try {
    outcomes = await runInTurn(transaction, begun, pieces, options.work);
    options.requireLive?.();
    transaction.postAccount();
    // It is sent behind the statements that nobody waited for, so that all of them take one round trip.
    commit = outcomes.some(({ run }) => run) ? session.commit() : session.command('ROLLBACK');
    options.pool.sendPosted(session);
  } catch (error) {
    await session.command('ROLLBACK').catch(() => session.destroy());
    throw causeOf(error, transaction);
  }
  await requireCommitted(transaction, commit, outcomes.some(({ run }) => run) ? await begun : undefined, options.pool);
  return outcomes;
}

/** Rejects if the transaction has to be undone. */
async function runInTurn(
  transaction: PostgresTransaction,
  begun: Promise<unknown>,
  pieces: readonly Piece[],
  work: TogetherOptions['work'],
): Promise<readonly Outcome[]> {
  let turn = begun;
  const outcomes = pieces.map((piece) => {
    const outcome = runPiece(piece, work, { transaction, turn, isShared: pieces.length > 1 });
    turn = outcome;
    return outcome;
  });
  // The first that fails is the cause of the others.
  for (const settled of await Promise.allSettled(outcomes)) if (settled.status === 'rejected') throw settled.reason;
  return Promise.all(outcomes);
}

/** Where a piece stands among the others. */
interface PlaceOfPiece {
  readonly transaction: PostgresTransaction;
  /** Resolves when it is its turn. */
  readonly turn: Promise<unknown>;
  readonly isShared: boolean;
}

/** Runs a piece. Rejects if the transaction has to be undone because of it, or failed before. */
async function runPiece(
  piece: Piece,
  work: TogetherOptions['work'],
  { transaction, turn, isShared }: PlaceOfPiece,
): Promise<Outcome> {
  const newRun = () => new PieceRun(transaction, turn, isShared);
  let run = newRun();
  try {
    let result = await work(run, piece).catch((error: unknown) => {
      if (!run.isTooEarly) throw error;
    });
    await turn;
    if (run.isTooEarly) {
      run = newRun();
      result = await work(run, piece);
    }
    run.finish();
    return { piece, run, result };
  } catch (error) {
    await turn;
    if (transaction.failure || !run.abandon()) throw error;
    return { piece, run: undefined, result: error };
  }
}

/** @param id of the transaction, if it was to be committed */
async function requireCommitted(
  transaction: PostgresTransaction,
  commit: Promise<Answer>,
  id: TransactionId | undefined,
  pool: PostgresPool,
): Promise<void> {
  const [settled, committed] = await Promise.allSettled([transaction.settled(), commit]);
  if (committed.status === 'rejected') {
    const isLost = committed.reason instanceof ConnectionLost;
    if (!isLost || !id || !(await isCommitted(pool, id))) throw committed.reason;
  } else if (settled.status === 'rejected') throw settled.reason;
  else if (id && committed.value.command !== 'COMMIT')
    throw new Error('The transaction was rolled back: a statement failed, and the work went on.');
}

/** Returns the options of a transaction for pieces of the same account. It is durable if one of them has to be. */
function optionsOf(pieces: readonly Piece[]): AtomicOptions {
  const { account, isAudited, lease } = pieces[0]!.options;
  const isDurable = pieces.some(({ options }) => options.isDurable !== false);
  return {
    ...(account !== undefined && { account }),
    ...(isAudited && { isAudited }),
    ...(lease && { lease }),
    isDurable,
  };
}

/** A statement may have failed only because an earlier one of its transaction had failed (25P02). Returns the cause. */
function causeOf(error: unknown, { failure }: PostgresTransaction): unknown {
  return failure && sqlState(error) === '25P02' ? failure.error : error;
}
