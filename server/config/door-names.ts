export const doorNames = ['api', 'files', 'public', 's3', 'operator'] as const;

/** One of the five listeners. Each has its own setting for its port. */
export type DoorName = (typeof doorNames)[number];
