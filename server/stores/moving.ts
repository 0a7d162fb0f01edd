/** The message with which a database refuses a write while its rows move to another store, and afterwards. */
export const movingMessage = 'cubby: the store is being moved';
