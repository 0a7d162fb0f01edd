import { addListen } from './listen.ts';

/** Adds the commands outside of groups. */
export const adds = [addListen];
