// Made from openapi/ by `npm run generate`. Never edit it by hand.
export {};
