/** A day in milliseconds. All days of UTC have this length. */
export const dayMs = 86_400_000;
