/** The condition that an account is still there, for rows that are written a moment later. */
export const hasAccount = 'EXISTS (SELECT 1 FROM accounts WHERE account_id = ?)';
