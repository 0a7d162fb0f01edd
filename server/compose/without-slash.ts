/** Returns an address without a slash at its end. */
export const withoutSlash = (address: string): string => address.replace(/\/$/, '');
