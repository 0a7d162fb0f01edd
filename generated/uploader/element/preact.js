// Made from uploader/ by `npm run generate`. Never edit it by hand.
export * from './element.js';
