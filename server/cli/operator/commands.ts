import type { Command } from 'commander';

import { addOperatorKeyCreate } from './create-key.ts';
import { addOperatorKeyList } from './list-keys.ts';
import { addOperatorKeyRevoke } from './revoke-key.ts';
import type { Operator } from '../operator.ts';

/** Add the commands of the group, in the order of the help. */
export const adds = [addOperatorKeys];

function addOperatorKeys(parent: Command, operator: Operator): void {
  const keys = parent.command('key').description("create and revoke keys of the operator's door");
  for (const add of [addOperatorKeyCreate, addOperatorKeyList, addOperatorKeyRevoke]) add(keys, operator);
}
