import type { Account } from '#server/domain/account/account.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { expiresAtMs } from '#server/domain/duration.ts';
import { requirePlanFor } from '#server/domain/file-options.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata, Transaction } from '#server/domain/ports/metadata.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { ruleOfFolder } from '#server/features/rules/list-rules.ts';
import type { Rule } from '#server/features/rules/rule.ts';
import { failedAs } from '#server/domain/failed-as.ts';
import { targetOf, type ReadDestination } from './copy-destination.ts';
import { dropsPublicCopies, takeBack, type HideDeps, type WrittenChange } from '../update/hidden-change.ts';
import { withSpace, type Yielding } from '../give-way.ts';
import { findLive } from '../object.ts';
import { placeCopy } from './place-copy.ts';
import type { PlacedObject } from '../store-object.ts';
import { isHidden } from '../visibility.ts';
import type { FileTables } from '../table.ts';
import { isConditional, unconditional, type WriteConditions } from '#server/domain/write-conditions.ts';
import { requireConditions } from '../write-conditions.ts';

interface Deps extends HideDeps {
  readonly metadata: Metadata<FileTables | 'purges' | 'rules'>;
  readonly ids: Ids;
}

interface CopyObject {
  readonly account: Account;
  readonly source: ObjectAddress;
  readonly destination: ReadDestination;
  readonly move: boolean;
  readonly overwrite: boolean;
  /** About the file at the destination. */
  readonly conditions?: WriteConditions;
  readonly actor: Actor;
  /** Undefined if nothing gives way to the copy. */
  readonly yielding?: Yielding | undefined;
}

/**
 * Copies, moves or renames a file. It writes only rows, and the bytes stay where they are. A move that makes a file
 * private waits for the CDN, as an update does.
 *
 * @throws what {@link targetOf} throws, UPGRADE_REQUIRED, OBJECT_NOT_FOUND, SAME_OBJECT, CONDITION_NOT_MET,
 *   OBJECT_ALREADY_EXISTS, STORAGE_QUOTA_EXCEEDED, COPY_FAILED
 * @throws VISIBILITY_CHANGE_FAILED with the file where it was
 */
export async function copyObject(deps: Deps, command: CopyObject): Promise<PlacedObject> {
  requirePlanFor(command.account.plan, command.destination);
  return place(deps, command).catch(failedAs('COPY_FAILED'));
}

async function place(deps: Deps, command: CopyObject): Promise<PlacedObject> {
  const { account, destination, move } = command;
  const hash = deps.ids.nameHash();
  const rule = await ruleOfFolder(deps, account.id, destination.prefix);
  const isHiding = move && (destination.isPrivate ?? rule?.isPrivate === true);
  const changeId = deps.ids.opaqueId();
  const { change, isReplaced } = await withSpace(deps, command.yielding, (makeSpace) =>
    deps.metadata.atomically(
      async (tx) => {
        await makeSpace(tx);
        return copyRow(tx, deps.ids, command, { rule, hash });
      },
      { account: account.id, ...(isHiding && { purgedChangeId: changeId }) },
    ),
  );
  const isHiddenNow = move && isHidden(change.before.space, change.after.space);
  if (isHiddenNow && !(await dropsPublicCopies(deps, [change], changeId))) {
    await takeBack(deps, change, changeId);
    throw new Refusal('VISIBILITY_CHANGE_FAILED');
  }
  return { object: change.after, isReplaced };
}

async function copyRow(
  tx: Transaction<FileTables>,
  ids: Ids,
  { source: address, destination, move, overwrite, conditions = unconditional, actor }: CopyObject,
  { rule, hash }: { readonly rule: Rule | undefined; readonly hash: string },
): Promise<{ readonly change: WrittenChange; readonly isReplaced: boolean }> {
  const source = await findLive(tx.objects, address, tx.now);
  if (!source) throw new Refusal('OBJECT_NOT_FOUND');
  const target = targetOf(source, destination, rule, hash);
  if (target.space === source.space && target.key === source.key) throw new Refusal('SAME_OBJECT');
  if (isConditional(conditions)) requireConditions(await tx.objects.find(target), conditions, tx.now);
  const { expire } = destination;
  const expiresAt = expire === undefined ? source.expiresAt : expire && expiresAtMs(expire, tx.now);
  const row = { ...source, ...target, expiresAt };
  const copy = { source, row, isMove: move, mayReplace: () => overwrite, actor };
  const { object, sequence, isReplaced } = await placeCopy(tx, ids, copy);
  return { change: { before: source, after: object, sequence }, isReplaced };
}
