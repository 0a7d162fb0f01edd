import type { Caller } from '#server/domain/access/caller.ts';
import type { NamedUpload } from '#server/domain/chunked/named-upload.ts';
import { parseObjectId, type ObjectAddress } from '#server/domain/object-id.ts';

/**
 * The files and uploads that a request names. Each is read once: by the guard of a restricted key, or by the handler.
 */
export class Named {
  readonly #caller: Caller;
  readonly #nameUpload: (caller: Caller, uploadHandle: string) => NamedUpload;
  readonly #objects = new Map<string, ObjectAddress>();
  readonly #uploads = new Map<string, NamedUpload>();

  constructor(caller: Caller, nameUpload: (caller: Caller, uploadHandle: string) => NamedUpload) {
    this.#caller = caller;
    this.#nameUpload = nameUpload;
  }

  /** @throws INVALID_OBJECT */
  object(id: string): ObjectAddress {
    return once(this.#objects, id, () => parseObjectId(id, this.#caller.account.id));
  }

  upload(uploadHandle: string): NamedUpload {
    return once(this.#uploads, uploadHandle, () => this.#nameUpload(this.#caller, uploadHandle));
  }
}

function once<T>(known: Map<string, T>, name: string, read: () => T): T {
  const value = known.get(name) ?? read();
  known.set(name, value);
  return value;
}
