/** English. The other languages have the same fields. `{…}` are gaps for values. */
export const en = {
  /** The page of a file request. */
  request: {
    intro: 'Somebody asks you for files',
    sender: 'Your name',
    senderHint: 'Your files go into a folder of this name.',
    /** For a sender who is known. `{name}` is the name that was given. */
    sendingAs: 'You send as {name}.',
    files: 'Files',
    folder: 'Or a whole folder',
    send: 'Send',
    sentBefore: 'See what you have sent',
    until: 'Until',
    types: 'File types',
    largest: 'Largest file',
    left: 'Still taken',
    filesLeft: { one: '{count} file', other: '{count} files' },
    caution: 'Only the person who asks can see what you send. Send nothing to somebody you do not know.',
    noneStored: 'None of your files was stored.',
    over: {
      closed: {
        title: 'This request is closed',
        text: 'It takes no more files. Ask the person who sent you the address.',
      },
      expired: {
        title: 'The deadline has passed',
        text: 'This request takes no more files. Ask the person who sent you the address.',
      },
      full: {
        title: 'This request is full',
        text: 'It has received all that it takes. Ask the person who sent you the address.',
      },
      'not-found': {
        title: 'Nothing is under this address',
        text: 'It may be incomplete, or the request was deleted. Check it, or ask the person who sent it to you.',
      },
    },
  },
  /** The script of that page. `{done}`, `{all}` and `{count}` are numbers of files. */
  sending: {
    drop:
      'You can also drop files and folders here. If sending breaks off, choose the same files again within a ' +
      'day. It goes ' +
      'on where it stopped.',
    pause: 'Pause',
    resume: 'Continue',
    retry: 'Try again',
    remove: 'Remove',
    paused: 'Paused',
    states: {
      waiting: 'Waiting',
      sending: 'Sending',
      broken: 'Trying again soon',
      stored: 'Arrived',
      failed: 'Not stored',
    },
    lost: 'The connection broke. Try again.',
    total: 'All files',
    count: '{done} of {all} files have arrived',
    done: 'All your files have arrived.',
    failed: 'Not stored: {count}.',
    tooManyOpen: 'Too many of your files are unfinished. Finish or remove one, then try again.',
  },
  /** The page that shows what a sender has sent. */
  sent: {
    title: 'Your files have arrived',
    text: 'Keep the receipt if you may have to prove what you sent.',
    receipt: 'Save the signed receipt',
    more: 'Send more files',
    received: 'Received',
    /** In place of a checksum. */
    computing: 'not computed yet',
    notStored: 'Not stored',
  },
};

/** The texts of file requests in one language. */
export type RequestMessages = typeof en;
