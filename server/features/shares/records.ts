import { isFolder, type ArchiveEntry } from './entry.ts';

/**
 * The records of a ZIP archive whose files are stored as they are. Their sizes and checksums stand before their bytes,
 * so the place of every byte follows from the list of the files.
 *
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */

/** An entry and its name in UTF-8. */
export interface NamedEntry extends ArchiveEntry {
  readonly nameBytes: Uint8Array;
}

/** "If one of the fields in the record is too small to hold required data, the field SHOULD be set to -1" (4.4.1.4). */
const full32 = 0xffff_ffff;
const full16 = 0xffff;

const plainVersion = 20;
const zip64Version = 45;
/** Made on Unix, so that the external attributes are a mode. */
const madeOnUnix = 3 << 8;
/** Bit 11: the name is UTF-8 (4.4.4). */
const utf8Flag = 0x0800;

const fileMode = 0o100644;
const folderMode = 0o040755;
/** The bit of MS-DOS for a folder, beside the mode. */
const dosFolder = 0x10;

const localBytes = 30;
const centralBytes = 46;
const timeExtraBytes = 9;
const endBytes = 22;
const zip64EndBytes = 56;
const zip64LocatorBytes = 20;

/** Whether the size of an entry needs 64 bits. */
function isLarge({ sizeBytes }: Pick<ArchiveEntry, 'sizeBytes'>): boolean {
  return sizeBytes >= full32;
}

/** Returns the length of the record before the bytes of an entry. */
export function localLength(entry: NamedEntry): number {
  return localBytes + entry.nameBytes.length + timeExtraBytes + (isLarge(entry) ? 20 : 0);
}

/** Returns the record before the bytes of an entry. */
export function localRecord(entry: NamedEntry): Buffer {
  const record = Buffer.alloc(localLength(entry));
  const needsZip64 = isLarge(entry);
  record.writeUInt32LE(0x04034b50, 0);
  record.writeUInt16LE(needsZip64 ? zip64Version : plainVersion, 4);
  writeCommon(record, 6, entry);
  record.writeUInt16LE(record.length - localBytes - entry.nameBytes.length, 28);
  record.set(entry.nameBytes, localBytes);
  const at = writeTime(record, localBytes + entry.nameBytes.length, entry);
  // "This record MUST include BOTH original and compressed file size fields" (4.5.3, for local headers).
  if (needsZip64) writeZip64Extra(record, at, [entry.sizeBytes, entry.sizeBytes]);
  return record;
}

/** Returns the numbers of an entry that only the 64-bit field of the directory can hold. */
function centralLarge(entry: NamedEntry, offset: number): number[] {
  return [...(isLarge(entry) ? [entry.sizeBytes, entry.sizeBytes] : []), ...(offset >= full32 ? [offset] : [])];
}

/** Returns the length of an entry's record in the directory. */
export function centralLength(entry: NamedEntry, offset: number): number {
  const large = centralLarge(entry, offset).length;
  return centralBytes + entry.nameBytes.length + timeExtraBytes + (large > 0 ? 4 + 8 * large : 0);
}

/** Returns an entry's record in the directory. @param offset of its local record */
export function centralRecord(entry: NamedEntry, offset: number): Buffer {
  const record = Buffer.alloc(centralLength(entry, offset));
  const large = centralLarge(entry, offset);
  const version = large.length > 0 ? zip64Version : plainVersion;
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(madeOnUnix | version, 4);
  record.writeUInt16LE(version, 6);
  writeCommon(record, 8, entry);
  record.writeUInt16LE(record.length - centralBytes - entry.nameBytes.length, 30);
  const attributes = isFolder(entry) ? folderMode * 0x1_0000 + dosFolder : fileMode * 0x1_0000;
  record.writeUInt32LE(attributes, 38);
  record.writeUInt32LE(Math.min(offset, full32), 42);
  record.set(entry.nameBytes, centralBytes);
  const at = writeTime(record, centralBytes + entry.nameBytes.length, entry);
  if (large.length > 0) writeZip64Extra(record, at, large);
  return record;
}

/** The size of the directory, and where it begins. */
export interface Directory {
  readonly entries: number;
  readonly offset: number;
  readonly sizeBytes: number;
}

function needsZip64End({ entries, offset, sizeBytes }: Directory): boolean {
  return entries >= full16 || offset >= full32 || sizeBytes >= full32;
}

/** Returns the length of the records behind the directory. */
export function endLength(directory: Directory): number {
  return endBytes + (needsZip64End(directory) ? zip64EndBytes + zip64LocatorBytes : 0);
}

/** Returns the records behind the directory. */
export function endRecords(directory: Directory): Buffer {
  const { entries, offset, sizeBytes } = directory;
  const records = Buffer.alloc(endLength(directory));
  let at = 0;
  if (needsZip64End(directory)) {
    records.writeUInt32LE(0x06064b50, 0);
    // "The value stored into the 'size of zip64 end of central directory record' SHOULD NOT include the leading 12
    // bytes."
    writeUInt64(records, 4, zip64EndBytes - 12);
    records.writeUInt16LE(madeOnUnix | zip64Version, 12);
    records.writeUInt16LE(zip64Version, 14);
    for (const [index, value] of [entries, entries, sizeBytes, offset].entries())
      writeUInt64(records, 24 + 8 * index, value);
    records.writeUInt32LE(0x07064b50, zip64EndBytes);
    writeUInt64(records, zip64EndBytes + 8, offset + sizeBytes);
    records.writeUInt32LE(1, zip64EndBytes + 16);
    at = zip64EndBytes + zip64LocatorBytes;
  }
  records.writeUInt32LE(0x06054b50, at);
  records.writeUInt16LE(Math.min(entries, full16), at + 8);
  records.writeUInt16LE(Math.min(entries, full16), at + 10);
  records.writeUInt32LE(Math.min(sizeBytes, full32), at + 12);
  records.writeUInt32LE(Math.min(offset, full32), at + 16);
  return records;
}

/** Writes the fields that both records of an entry have: flags, method, time, checksum, sizes and the name's length. */
function writeCommon(record: Buffer, at: number, { sizeBytes, crc32, modifiedAt, nameBytes }: NamedEntry): void {
  const { date, time } = dosTime(modifiedAt);
  record.writeUInt16LE(utf8Flag, at);
  record.writeUInt16LE(time, at + 4);
  record.writeUInt16LE(date, at + 6);
  record.writeUInt32LE(crc32, at + 8);
  record.writeUInt32LE(Math.min(sizeBytes, full32), at + 12);
  record.writeUInt32LE(Math.min(sizeBytes, full32), at + 16);
  record.writeUInt16LE(nameBytes.length, at + 20);
}

/**
 * Returns date and time as MS-DOS has them: in steps of two seconds from 1980 to 2107. They have no time zone, so this
 * is UTC.
 */
function dosTime(modifiedAt: number): { readonly date: number; readonly time: number } {
  const at = new Date(Math.min(Math.max(modifiedAt, Date.UTC(1980, 0)), Date.UTC(2107, 11, 31, 23, 59, 58)));
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return { date, time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1) };
}

/**
 * Writes the time of Unix, which has a zone: the extra field 0x5455 of Info-ZIP. Its seconds have 32 bits with a sign,
 * so they end in 2038. Returns the place behind it.
 */
function writeTime(record: Buffer, at: number, { modifiedAt }: NamedEntry): number {
  const seconds = Math.min(Math.max(Math.floor(modifiedAt / 1000), 0), 0x7fff_ffff);
  record.writeUInt16LE(0x5455, at);
  record.writeUInt16LE(timeExtraBytes - 4, at + 2);
  record.writeUInt8(1, at + 4);
  record.writeInt32LE(seconds, at + 5);
  return at + timeExtraBytes;
}

function writeZip64Extra(record: Buffer, at: number, values: readonly number[]): void {
  record.writeUInt16LE(0x0001, at);
  record.writeUInt16LE(8 * values.length, at + 2);
  for (const [index, value] of values.entries()) writeUInt64(record, at + 4 + 8 * index, value);
}

function writeUInt64(record: Buffer, at: number, value: number): void {
  record.writeBigUInt64LE(BigInt(value), at);
}
