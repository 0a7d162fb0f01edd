// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** Makes an element with its class as its part, so that pages can style it. */
export declare function partElement<K extends keyof HTMLElementTagNameMap>(tag: K, name: string): HTMLElementTagNameMap[K];
/** A button that says what it does, and to what. */
export declare function actionButton(action: string, words: string, label: string, act: () => void): HTMLButtonElement;
/** Puts other buttons in the place of the old. The one at the same place from the end takes the focus over. */
export declare function replaceKeepingFocus(parent: HTMLElement, next: readonly HTMLElement[]): void;
