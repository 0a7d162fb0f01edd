import type { ChatToolCall } from '../conversation/conversation.ts';
import { withPiece, type SealedParts } from '../conversation/sealed.ts';
import type { CarriedThoughts } from './carried-thoughts.ts';

/** Collects what is sealed until a place in a stream is free for it. */
export class CollectedSealed {
  #sealed: SealedParts | undefined;
  #ofCalls = new Map<string, SealedParts>();

  get isEmpty(): boolean {
    return this.#sealed === undefined && this.#ofCalls.size === 0;
  }

  add(sealed: SealedParts): void {
    this.#sealed = withPiece(this.#sealed, sealed);
  }

  addOfCall({ id, sealed }: Pick<ChatToolCall, 'id' | 'sealed'>): void {
    if (sealed) this.#ofCalls.set(id, sealed);
  }

  /** Returns all, and forgets it. */
  take(): Pick<CarriedThoughts, 'sealed' | 'ofCalls'> {
    const taken = { sealed: this.#sealed, ofCalls: this.#ofCalls };
    this.#sealed = undefined;
    this.#ofCalls = new Map();
    return taken;
  }
}
