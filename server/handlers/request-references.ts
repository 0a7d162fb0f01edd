import type { Caller } from '#server/domain/access/caller.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import { parseObjectId, type ObjectAddress } from '#server/domain/object-id.ts';

/**
 * The files and uploads that a request names. Each is read once: by the guard of a restricted key, or by the handler.
 */
export class RequestReferences {
  readonly #caller: Caller;
  readonly #lookUpUpload: (caller: Caller, uploadHandle: string) => UploadLookup;
  readonly #objects = new Map<string, ObjectAddress>();
  readonly #uploads = new Map<string, UploadLookup>();

  constructor(caller: Caller, lookUpUpload: (caller: Caller, uploadHandle: string) => UploadLookup) {
    this.#caller = caller;
    this.#lookUpUpload = lookUpUpload;
  }

  /** @throws INVALID_OBJECT */
  object(id: string): ObjectAddress {
    return once(this.#objects, id, () => parseObjectId(id, this.#caller.account.id));
  }

  upload(uploadHandle: string): UploadLookup {
    return once(this.#uploads, uploadHandle, () => this.#lookUpUpload(this.#caller, uploadHandle));
  }
}

function once<T>(known: Map<string, T>, name: string, read: () => T): T {
  const value = known.get(name) ?? read();
  known.set(name, value);
  return value;
}
