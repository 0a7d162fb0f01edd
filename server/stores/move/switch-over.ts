import { setTimeout as sleep } from 'node:timers/promises';

import { applyChanges } from './apply-changes.ts';
import type { Move } from './move.ts';
import { recordText, type MoveRecord } from './record.ts';
import { StoreMoveRefused } from './refused.ts';
import { settle } from './settle.ts';
import type { Suspects } from './verify.ts';

/** Writes are refused for at most this long. Then they are taken again, and the switch is tried later. */
const longestRefusalMs = 8_000;

/** If the move is killed meanwhile, the source takes writes again by itself after this time. */
const safetyMs = 15_000;

/** A switch begins when the changes of one round take less than this. */
const quickRoundMs = 500;

/** Rounds and switches, before the move gives up. The copy stays, and a later call goes on with it. */
const mostRounds = 600;
const mostSwitches = 5;

/**
 * Makes the target the store: refuses writes, copies the last changes, and marks the source as moved. Returns the
 * record that was stored there.
 *
 * @throws {StoreMoveRefused} the source is still the store and takes writes
 */
export async function switchOver(move: Move, suspects: Suspects, now: () => number): Promise<MoveRecord> {
  for (let tries = 1; tries <= mostSwitches; tries++) {
    await catchUp(move);
    // A try that failed has changed rows of the target: see `settle()`.
    if (move.target && tries > 1) await suspects.repair(move);
    const at = now();
    const startedAt = performance.now();
    await move.source.refuseWrites(safetyMs);
    move.onStep({ doing: 'switching' });
    try {
      if (await finishTarget(move, suspects, startedAt)) {
        const refusedMs = Math.round(performance.now() - startedAt);
        const record: MoveRecord = { ...move.record, phase: 'moved', switched: { at, refusedMs } };
        if (await move.source.refuseForGood(recordText(record))) return record;
      }
    } catch (error) {
      await move.source.takeWrites();
      throw error;
    }
    await move.source.takeWrites();
    await move.target?.prepare();
  }
  throw new StoreMoveRefused(
    `The last changes could not be copied within ${longestRefusalMs / 1000} s, ${mostSwitches} times. The source ` +
      'is still the store. Try again when it is written less.',
  );
}

/** Copies changes until a round is quick. */
async function catchUp(move: Move): Promise<void> {
  for (let round = 1; round <= mostRounds; round++) {
    const startedAt = performance.now();
    const applied = await applyChanges(move);
    move.onStep({ doing: 'catching up', done: move.changes });
    if (performance.now() - startedAt < quickRoundMs) return;
    if (applied === 0) await sleep(50);
  }
  throw new StoreMoveRefused(
    'Servers write to the source faster than the changes can be copied. Try again when it is written less: the ' +
      'copy goes on from here.',
  );
}

/** Returns false if there is no time left. */
async function finishTarget(move: Move, suspects: Suspects, startedAt: number): Promise<boolean> {
  const isInTime = () => performance.now() - startedAt < longestRefusalMs;
  while ((await applyChanges(move)) > 0) if (!isInTime()) return false;
  if (move.target && suspects.count > 0) await suspects.recheck(move);
  if (suspects.count > 0)
    throw new StoreMoveRefused(
      `Rows differ in the target: ${suspects.sampleText()}. Begin again with an empty target.`,
    );
  await settle(move, suspects);
  await move.target?.finish(await move.source.sequences());
  return isInTime();
}
