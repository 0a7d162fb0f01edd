import { addListen } from './listen.ts';

/** Add the commands outside of groups. */
export const adds = [addListen];
