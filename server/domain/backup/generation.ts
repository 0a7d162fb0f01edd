import { BackupRefused, readJson, type BackupTarget } from './target.ts';

/** The database of a generation: its pieces, in their order. Null where the rows are in PostgreSQL. */
export interface StoredDatabase {
  readonly size_bytes: number;
  readonly sha256: string;
  /** The SHA-256 of each piece, in hex. */
  readonly chunks: readonly string[];
}

/** The state of an installation at one instant. Its document is written last, so a generation is whole or not there. */
export interface Generation {
  readonly format: 1;
  readonly installation_id: string;
  /** ISO 8601: when the database was copied. */
  readonly taken_at: string;
  readonly completed_at: string;
  readonly database: StoredDatabase | null;
  readonly blobs: { readonly count: number; readonly bytes: number };
  /** The documents of the index that it needs, with the SHA-256 of each. */
  readonly index: readonly IndexDocument[];
  /** Ids of blobs that were damaged or missing in the store, so the backup lacks them. */
  readonly damaged: readonly string[];
  /** Names the master key that its rows need. @see masterKeyDocument */
  readonly master_key: string;
}

export interface IndexDocument {
  readonly name: string;
  readonly sha256: string;
}

/** The document that makes a folder a target. */
export interface TargetMark {
  readonly format: 1;
  readonly installation_id: string;
}

/** How many generations are kept unless the operator says otherwise, and as many days. */
export const standardKeep = 14;

export const markName = 'cubby-backup.json';
/** The newest master key, if the target holds it. */
export const masterKeyName = 'master.key';

/** The folder of all master keys that generations need. */
export const masterKeysFolder = 'master-keys';

/**
 * Returns the name of a master key in generations.
 *
 * @param check recognises the key, and reveals nothing about it
 */
export function nameOfMasterKey(check: string): string {
  return check.slice(0, 16);
}

/** Returns the document that holds a master key, if the target holds it. After a rotation there are several. */
export function masterKeyDocument(name: string): string {
  return `${masterKeysFolder}/${name}.key`;
}

/** Returns the master key that a generation needs. Undefined if the target does not hold it. */
export async function masterKeyOf(
  { documents }: BackupTarget,
  { master_key: name }: Generation,
): Promise<Uint8Array | undefined> {
  return (await documents.read(masterKeyDocument(name))) ?? documents.read(masterKeyName);
}

const folder = 'generations';
const suffix = '.json';

/** Returns the names of the generations, the oldest first. They are instants: `20261125T213000000Z`. */
export async function generationNames({ documents }: BackupTarget): Promise<string[]> {
  const names = await documents.names(folder);
  return names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
}

export function documentOf(generation: string): string {
  return `${folder}/${generation}${suffix}`;
}

/** @throws {BackupRefused} when there is no such generation */
export async function findGeneration(target: BackupTarget, name: string): Promise<Generation> {
  const found = await readJson<Generation>(target, documentOf(name));
  if (found === undefined)
    throw new BackupRefused(
      `There is no generation ${name} in ${target.address}. "cubby backup TARGET --list" shows those that there are.`,
    );
  if (found.format !== 1)
    throw new BackupRefused(`The generation ${name} was made by a newer version of Cubby. Use that version.`);
  return found;
}

/** Returns the name for a generation that begins now. It is later than `last`, even if the clock was put back. */
export function newName(now: number, last: string | undefined): string {
  const name = nameOf(now);
  return last === undefined || name > last ? name : nameOf(instantOf(last) + 1);
}

function nameOf(instant: number): string {
  return new Date(instant).toISOString().replaceAll(/[-:.]/g, '');
}

function instantOf(name: string): number {
  const iso = name.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)(\d{3}Z)$/, '$1-$2-$3:$4:$5.$6');
  return Date.parse(iso);
}

/**
 * Returns the generations to keep: the newest ones, and the last one of each of the newest days in UTC.
 *
 * @param names the oldest first
 * @param count how many of each, at least 1
 */
export function keptNames(names: readonly string[], count: number): ReadonlySet<string> {
  const lastOfDay = new Map(names.map((name) => [name.slice(0, 8), name]));
  return new Set([...names.slice(-count), ...[...lastOfDay.values()].slice(-count)]);
}
