import type { Caller } from '#server/domain/access/caller.ts';
import type { Account } from '#server/domain/account/account.ts';
import { systemActor } from '#server/domain/activity/activity.ts';
import { abortChunkedUpload } from '#server/features/uploads/abort-chunked-upload.ts';
import { chunkedStatus } from '#server/features/uploads/chunked-status.ts';
import { completeChunkedUpload } from '#server/features/uploads/complete-chunked-upload.ts';
import { formatUploadHandle } from '#server/features/uploads/handle.ts';
import { uploadLookup } from '#server/features/uploads/upload-lookup.ts';
import { putPart, type PutPart } from '#server/features/uploads/put-part.ts';
import { RunningHashCache } from '#server/features/uploads/running-hash.ts';
import { startChunkedUpload, type StartChunkedUpload } from '#server/features/uploads/start-chunked-upload.ts';
import { readUploadOptions, type UploadOptions } from '#server/features/files/upload/upload-options.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { UploadToken } from '#server/domain/access/upload-token.ts';
import { partNumber, prefixes } from '#test/support/parsed.ts';
import type { TestStores } from '#test/support/stores.ts';

export const noOptions: UploadOptions = {
  name: 'big',
  prefix: undefined,
  isPrivate: undefined,
  securityHash: undefined,
  expire: undefined,
  overwrite: undefined,
  disposition: undefined,
  cacheControl: undefined,
  metadata: undefined,
};

export async function* inPieces(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The use cases of chunked uploads for one account, as its unrestricted key calls them. */
export class Uploads {
  readonly stores: TestStores;
  readonly hashes = new RunningHashCache();
  /** How many files were stored without their SHA-256. */
  unhashed = 0;
  readonly #accountId: string;

  constructor(stores: TestStores, account: Account) {
    this.stores = stores;
    this.#accountId = account.id;
  }

  /** Returns the caller with the account's current counters. */
  async caller(change: { readonly prefixes?: readonly string[]; readonly token?: UploadToken } = {}): Promise<Caller> {
    const { account, key } = await this.stores.caller({ id: this.#accountId });
    return {
      account,
      key: { ...key, prefixes: change.prefixes ? prefixes(...change.prefixes) : null },
      ...(change.token && { token: change.token }),
    };
  }

  get deps() {
    return { ...this.stores, hashes: this.hashes, onUnhashed: () => void this.unhashed++ };
  }

  async start(options: Partial<UploadOptions> = {}, change: Partial<StartChunkedUpload> = {}): Promise<string> {
    const { caller = await this.caller() } = change;
    const { upload } = await startChunkedUpload(this.stores, {
      caller,
      fields: readUploadOptions({ ...noOptions, ...options }, { filename: '', mimeType: '' }, caller.token?.pins),
      filename: '',
      sizeBytes: undefined,
      actor: { ...systemActor, keyId: caller.key.id },
      ...change,
    });
    return formatUploadHandle(this.stores.secrets, upload);
  }

  async put(
    handle: string,
    part: number,
    bytes: Uint8Array,
    { blobs, ...change }: Partial<PutPart> & { readonly handle?: string; readonly blobs?: Pick<BlobStore, 'put'> } = {},
  ) {
    const caller = change.caller ?? (await this.caller());
    return putPart(
      { ...this.deps, ...(blobs && { blobs }) },
      {
        caller,
        upload: uploadLookup(this.stores, caller, change.handle ?? handle),
        part: partNumber(part),
        checksumSha256: undefined,
        signal: new AbortController().signal,
        body: { announcedBytes: bytes.length, bytes: inPieces(bytes) },
        ...change,
      },
    );
  }

  async complete(handle: string, checksumSha256?: string, caller?: Caller) {
    return completeChunkedUpload(this.deps, {
      ...(await this.named(handle, caller)),
      checksumSha256,
      actor: systemActor,
    });
  }

  async abort(handle: string, caller?: Caller): Promise<void> {
    const { upload } = await this.named(handle, caller);
    return abortChunkedUpload(this.stores, upload, systemActor);
  }

  async status(handle: string, caller?: Caller) {
    const { upload } = await this.named(handle, caller);
    return chunkedStatus(this.stores, upload);
  }

  /** Returns a caller, and the upload that the caller names. */
  async named(handle: string, caller?: Caller) {
    const by = caller ?? (await this.caller());
    return { caller: by, upload: uploadLookup(this.stores, by, handle) };
  }

  /** Stores rows of parts without bytes, in this order and all of one size. Meant for tests that never read them. */
  async fake(handle: string, parts: readonly number[], sizeBytes: number): Promise<void> {
    const id = handle.split('.')[0]!;
    await this.stores.metadata.atomically(async (tx) => {
      for (const part of parts) {
        const blob = { blobId: this.stores.ids.opaqueId(), sizeBytes, inline: null, crc32: 0 };
        await tx.accounts.reserve(this.#accountId, sizeBytes, Number.MAX_SAFE_INTEGER);
        await tx.chunkedUploads.putPart(
          id,
          { part: partNumber(part), blob, md5: part.toString(16).padStart(32, '0') },
          tx.now,
          Number.MAX_SAFE_INTEGER,
        );
      }
    });
  }

  async reservedBytes(): Promise<number> {
    return (await this.stores.metadata.read.accounts.find(this.#accountId))!.reservedBytes;
  }
}
