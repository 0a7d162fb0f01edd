/** The message with which a database refuses a write while its rows move to another store, and afterwards. */
export const movingMessage = 'cubby: the store is being moved';

/** The SQLSTATE of that error. The class is of our own, since no class of the standard says it. */
export const movingState = 'CB001';
