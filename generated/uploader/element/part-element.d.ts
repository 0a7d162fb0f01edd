// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Makes an element whose class is also its part name, so that pages can style it. */
export declare function partElement<K extends keyof HTMLElementTagNameMap>(tag: K, name: string): HTMLElementTagNameMap[K];
/** Makes a button with a visible text and a label that also names its target. */
export declare function actionButton(action: string, words: string, label: string, act: () => void): HTMLButtonElement;
/** Replaces the buttons. If the old one had the focus, the new one at the same place from the end gets it. */
export declare function replaceKeepingFocus(parent: HTMLElement, next: readonly HTMLElement[]): void;
