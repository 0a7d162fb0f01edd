// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * Returns a constructed style sheet. Unlike a style element, it is allowed under a policy that forbids inline styles.
 */
export declare function elementSheet(): CSSStyleSheet;
