import type { ChatDelta } from '../conversation/chat-delta.ts';
import { GrowingText } from '../conversation/growing-text.ts';
import { betweenThoughts } from '../conversation/reasoning.ts';
import { isWebSearch } from '../search/web-search-tool.ts';

/**
 * The characters of text that are kept back while the model may still search. What a model says before a search is
 * short, and no part of the answer.
 */
const pendingCharacters = 200;

/**
 * Decides which pieces of a streamed answer its reader gets, and when. Calls of the gateway's own search are not shown.
 * Text before such a call is dropped, unless it was too long to keep it back.
 */
export class ShownAnswer {
  readonly #text = new GrowingText();
  #calls = 0;
  #pending = '';
  #isPending = false;
  /** Sealed parts of a round in which the model may still search. Those of a search are not the caller's. */
  #sealed: ChatDelta[] = [];
  /** Stands between the texts of two rounds. */
  #separator = '';
  #hasThoughts = false;
  /** Stands between the thoughts of two rounds. */
  #thoughtSeparator = '';
  /** The numbers that the calls of this round have for the reader, by their numbers in the round. */
  #indexes = new Map<number, number>();

  /** The text that the reader has got, in all rounds. */
  get text(): string {
    return String(this.#text);
  }

  /** Begins a round of the model. Text that is still pending belongs to a search, and is dropped. */
  begin(isSearchOffered: boolean): void {
    this.#pending = '';
    this.#sealed = [];
    this.#separator = this.#text.length === 0 ? '' : '\n\n';
    this.#thoughtSeparator = this.#hasThoughts ? betweenThoughts : '';
    this.#isPending = isSearchOffered;
    this.#indexes = new Map();
  }

  /** Returns what the reader gets when the model has written this. */
  next(delta: ChatDelta, isSearchOffered: boolean): readonly ChatDelta[] {
    switch (delta.type) {
      case 'reasoning': {
        const text = this.#thoughtSeparator + delta.text;
        this.#thoughtSeparator = '';
        this.#hasThoughts = true;
        return [{ ...delta, text }];
      }
      case 'sealed':
        this.#sealed.push(delta);
        return this.#isPending ? [] : this.#sealed.splice(0);
      case 'text':
        this.#pending += delta.text;
        if (this.#isPending && this.#pending.length <= pendingCharacters) return [];
        return this.release();
      case 'call':
        if (isSearchOffered && isWebSearch(delta)) return [];
        this.#indexes.set(delta.index, this.#calls);
        return [...this.release(), { ...delta, index: this.#calls++ }];
      case 'arguments': {
        const index = this.#indexes.get(delta.index);
        return index === undefined ? [] : [{ ...delta, index }];
      }
    }
  }

  /** Returns the text that was pending. No more is kept back in this round. */
  release(): readonly ChatDelta[] {
    this.#isPending = false;
    const sealed = this.#sealed.splice(0);
    if (this.#pending === '') return sealed;
    const text = this.#separator + this.#pending;
    this.#pending = this.#separator = '';
    return [...sealed, ...this.add(text)];
  }

  /** Drops the sealed parts of a round whose calls are dropped. */
  dropSealed(): void {
    this.#sealed = [];
  }

  /** Adds text behind all others. */
  add(text: string): readonly ChatDelta[] {
    this.#text.add(text);
    return text === '' ? [] : [{ type: 'text', text }];
  }
}
