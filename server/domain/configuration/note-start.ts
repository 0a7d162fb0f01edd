import { serverActor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { ShownSettings } from './table.ts';

interface Deps {
  readonly metadata: Metadata<'audit' | 'startedSettings'>;
}

/**
 * Compares the settings of a start with those of the last one, and records the differences in the audit log. The first
 * start only stores them. A changed secret is not seen, because settings never show secrets.
 */
export async function noteStart({ metadata }: Deps, settings: ShownSettings): Promise<void> {
  // Most starts change nothing, and then write nothing.
  const last = await metadata.read.startedSettings.find();
  if (last && changesOf(last, settings).length === 0) return;
  await metadata.atomically(async (tx) => {
    const before = await tx.startedSettings.find();
    await tx.startedSettings.save(settings);
    const changes = before ? changesOf(before, settings) : [];
    if (changes.length === 0) return;
    const details = Object.fromEntries(changes.map((name) => [name, changeOf(before![name], settings[name])]));
    await recordAudit(tx, {
      action: 'configuration.changed',
      by: serverActor,
      accountId: null,
      subject: null,
      details,
    });
  });
}

function changesOf(before: ShownSettings, after: ShownSettings): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]);
}

function changeOf(from: string | null = null, to: string | null = null) {
  return { from, to };
}
