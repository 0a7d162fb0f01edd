import { servedType } from './file-type.ts';
import type { Disposition, StoredObject } from './object.ts';

/** The instructions for a browser: how to treat a file, and the name to save it under. */
export interface Serving {
  readonly contentType: string;
  /** Null lets the browser decide. */
  readonly disposition: Disposition | null;
  readonly filename: string;
}

/** Returns how a file is served. A type that must be saved is an attachment, whatever its owner requested. */
export function servingOf(object: Pick<StoredObject, 'key' | 'disposition' | 'originalName'>): Serving {
  const { contentType, isAttachment } = servedType(object.key);
  return {
    contentType,
    disposition: isAttachment ? 'attachment' : object.disposition,
    filename: object.originalName || object.key.split('/').at(-1)!,
  };
}
