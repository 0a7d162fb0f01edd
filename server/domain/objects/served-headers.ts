import { servedType } from './file-type.ts';
import type { Disposition, StoredObject } from './object.ts';

/** How a browser is to treat a file, and under which name it saves it. */
export interface Serving {
  readonly contentType: string;
  /** Null lets the browser decide. */
  readonly disposition: Disposition | null;
  readonly filename: string;
}

/** How a file is served. A type that must be saved is an attachment, whatever its owner asked for. */
export function servingOf(object: Pick<StoredObject, 'key' | 'disposition' | 'originalName'>): Serving {
  const { contentType, isAttachment } = servedType(object.key);
  return {
    contentType,
    disposition: isAttachment ? 'attachment' : object.disposition,
    filename: object.originalName || object.key.split('/').at(-1)!,
  };
}
