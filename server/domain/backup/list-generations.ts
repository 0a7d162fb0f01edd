import { findGeneration, generationNames, type Generation } from './generation.ts';
import type { BackupTarget } from './target.ts';

/** The generations of a target, the oldest first. */
export interface GenerationList {
  /** The address of the target, without secrets. */
  readonly target: string;
  readonly generations: ReadonlyArray<{ readonly name: string; readonly generation: Generation }>;
}

/** Lists what can be restored. @throws {BackupRefused} if a document is damaged */
export async function listGenerations(target: BackupTarget): Promise<GenerationList> {
  const generations: Array<GenerationList['generations'][number]> = [];
  for (const name of await generationNames(target))
    generations.push({ name, generation: await findGeneration(target, name) });
  return { target: target.address, generations };
}
