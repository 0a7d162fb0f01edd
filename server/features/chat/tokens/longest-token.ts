/** The most bytes of one token of the vocabulary: a run of blanks. So a text has at least a token for so many bytes. */
export const longestTokenBytes = 128;
