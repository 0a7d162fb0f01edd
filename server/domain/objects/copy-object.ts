import type { Account } from '../account/account.ts';
import type { Actor } from '../activity/activity.ts';
import { expiresAtMs } from '../duration.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata, Transaction } from '../ports/metadata.ts';
import { Refusal } from '../refusal.ts';
import { ruleFor, type Rule } from '../rules/rule.ts';
import { targetOf, type ReadDestination } from './copy-destination.ts';
import { dropsPublicCopies, hiding, takeBack, type HideDeps, type WrittenChange } from './hidden-change.ts';
import type { ObjectAddress } from '../object-id.ts';
import { isExpired, type StoredObject } from './object.ts';
import { isHidden } from './visibility.ts';
import { placeCopy } from './place-copy.ts';
import { requirePlan } from '../file-options.ts';
import { unavailableAs } from '../unavailable-as.ts';

interface Deps extends HideDeps {
  readonly metadata: Metadata<'accounts' | 'activity' | 'contents' | 'objects' | 'rules'>;
  readonly ids: Ids;
}

export interface CopyObject {
  readonly account: Account;
  readonly source: ObjectAddress;
  readonly destination: ReadDestination;
  readonly move: boolean;
  readonly overwrite: boolean;
  readonly actor: Actor;
}

export interface CopiedObject {
  readonly object: StoredObject;
  readonly isReplaced: boolean;
}

/**
 * Copies, moves or renames a file. Only rows are written: the bytes stay where they are, whatever their size. A move
 * that makes a file private waits for the CDN, as an update does.
 *
 * @throws what {@link targetOf} does, UPGRADE_REQUIRED, OBJECT_NOT_FOUND, SAME_OBJECT,
 *   OBJECT_ALREADY_EXISTS, STORAGE_QUOTA_EXCEEDED, COPY_FAILED, VISIBILITY_CHANGE_FAILED with the file where it was
 */
export async function copyObject(deps: Deps, command: CopyObject): Promise<CopiedObject> {
  requirePlan(command.account.plan, command.destination);
  return place(deps, command).catch(unavailableAs('COPY_FAILED'));
}

async function place(deps: Deps, command: CopyObject): Promise<CopiedObject> {
  const { destination } = command;
  const hash = deps.ids.nameHash();
  const rule = await ruleOf(deps, command.account, destination);
  const options = command.move && (destination.isPrivate ?? rule?.isPrivate === true) ? hiding : {};
  const { change, isReplaced } = await deps.metadata.atomically(
    (tx) => copyRow(tx, deps.ids, command, rule, hash),
    options,
  );
  if (command.move && isHidden(change.before.space, change.after.space) && !(await dropsPublicCopies(deps, [change]))) {
    await takeBack(deps, change);
    throw new Refusal('VISIBILITY_CHANGE_FAILED');
  }
  return { object: change.after, isReplaced };
}

/** As for uploads, what lies at the root is under no rule. */
async function ruleOf({ metadata }: Deps, { id }: Account, { prefix }: ReadDestination): Promise<Rule | undefined> {
  return prefix === undefined ? undefined : ruleFor(await metadata.read.rules.listOf(id), `${prefix}/`);
}

async function copyRow(
  tx: Transaction<'accounts' | 'activity' | 'contents' | 'objects'>,
  ids: Ids,
  { source: address, destination, move, overwrite, actor }: CopyObject,
  rule: Rule | undefined,
  hash: string,
): Promise<{ readonly change: WrittenChange; readonly isReplaced: boolean }> {
  const source = await tx.objects.find(address);
  if (!source || isExpired(source, tx.now)) throw new Refusal('OBJECT_NOT_FOUND');
  const target = targetOf(source, destination, rule, hash);
  if (target.space === source.space && target.key === source.key) throw new Refusal('SAME_OBJECT');

  const existing = await tx.objects.find(target);
  const isReplaced = existing !== undefined && !isExpired(existing, tx.now);
  if (isReplaced && !overwrite) throw new Refusal('OBJECT_ALREADY_EXISTS');
  const expiresAt =
    destination.expire === undefined ? source.expiresAt : destination.expire && expiresAtMs(destination.expire, tx.now);
  const row = { ...source, ...target, expiresAt };
  const { object, sequence } = await placeCopy(tx, ids, { source, row, existing, isMove: move, actor });
  return { change: { before: source, after: object, sequence }, isReplaced };
}
