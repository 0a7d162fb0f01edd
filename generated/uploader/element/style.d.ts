// Made from uploader/ by `npm run generate`. Never edit it by hand.
/** A constructed sheet, not a style element: it is allowed under a policy that forbids inline styles. */
export declare function elementSheet(): CSSStyleSheet;
