import { inSteps } from '#server/domain/in-steps.ts';
import { spaces, type ObjectAddress } from '#server/domain/object-id.ts';
import { purgeBeyond } from '#server/features/files/purge-version.ts';
import type { FileTables } from '#server/features/files/table.ts';
import type { TrashedObject } from '#server/features/files/trash-table.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { ruleFor, type Rule } from '#server/features/rules/rule.ts';

interface Deps {
  readonly metadata: Metadata<FileTables>;
}

/** Versions that are read in one step. */
const stepSize = 500;

/** Versions of a key that are purged in one transaction: few enough for other requests, even if each has 2048 blobs. */
const purgedAtOnce = 8;

/**
 * Purges the versions that are beyond the numbers of rules which were saved since the last run. After that, each
 * deletion purges the version that exceeds the number. So nothing is read again until the rules are saved again.
 * Returns how many.
 */
export async function purgeUncounted({ metadata }: Deps): Promise<number> {
  let purged = 0;
  for (const accountId of await metadata.read.rules.accountsWithUncounted()) {
    const rules = await metadata.read.rules.listOf(accountId);
    for await (const address of keysOf(metadata, accountId, rules)) purged += await purgeKey(metadata, address);
    await metadata.atomically(
      async (tx) => {
        // Other rules may keep fewer versions of keys that this run has passed.
        if (JSON.stringify(await tx.rules.listOf(accountId)) === JSON.stringify(rules))
          await tx.rules.noteCounted(accountId);
      },
      { account: accountId },
    );
  }
  return purged;
}

/** Returns the keys that have more versions in the trash than their rule keeps. */
async function* keysOf(
  { read }: Deps['metadata'],
  accountId: string,
  rules: readonly Rule[],
): AsyncGenerator<ObjectAddress> {
  for (const { prefix, keepVersions } of rules) {
    if (keepVersions === null) continue;
    for (const space of spaces) {
      let [key, versions] = ['', 0];
      const steps = inSteps<TrashedObject>(stepSize, (behind, limit) =>
        read.trash.scan({ accountId, space, prefix, behind, limit }),
      );
      for await (const step of steps)
        for (const version of step) {
          [key, versions] = version.key === key ? [key, versions + 1] : [version.key, 1];
          if (versions === keepVersions + 1 && ruleFor(rules, key)?.prefix === prefix) yield { accountId, space, key };
        }
    }
  }
}

async function purgeKey(metadata: Deps['metadata'], address: ObjectAddress): Promise<number> {
  const { accountId, key } = address;
  for (let purged = 0; ;) {
    const step = await metadata.atomically(
      async (tx) => purgeBeyond(tx, address, ruleFor(await tx.rules.listOf(accountId), key), purgedAtOnce),
      { account: accountId },
    );
    purged += step;
    if (step < purgedAtOnce) return purged;
  }
}
