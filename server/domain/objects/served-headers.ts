import { servedType } from './file-type.ts';
import type { Disposition, StoredObject } from './object.ts';

/** How a file is handed out: what a browser is told to do with it, and under which name. */
export interface Serving {
  readonly contentType: string;
  /** Null when nothing is said and the browser decides. */
  readonly disposition: Disposition | null;
  readonly filename: string;
}

/** A type that must be saved is an attachment whatever its owner asked for. */
export function servingOf(object: Pick<StoredObject, 'key' | 'disposition' | 'originalName'>): Serving {
  const { contentType, isAttachment } = servedType(object.key);
  return {
    contentType,
    disposition: isAttachment ? 'attachment' : object.disposition,
    filename: object.originalName || object.key.split('/').at(-1)!,
  };
}
