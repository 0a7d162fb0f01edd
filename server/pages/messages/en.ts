/** English. The other languages have the same fields. `{…}` are gaps for values. */
export const en = {
  /** The language with its region, for numbers and dates. */
  locale: 'en-GB',
  /** Prefix of the title of a page with a problem. */
  problem: 'Problem',
  back: 'Back',
  kinds: {
    image: 'Image',
    audio: 'Audio',
    video: 'Video',
    pdf: 'PDF document',
    text: 'Text',
    archive: 'Archive',
    document: 'Document',
    sheet: 'Spreadsheet',
    slides: 'Presentation',
    other: 'File',
  },
  landing: {
    intro: 'Somebody has shared a file with you',
    download: 'Download',
    /** For files that the browser shows in their own window. */
    view: 'View in the browser',
    /** For screen readers. `{name}` is the file's name. */
    previewOf: 'Preview of {name}',
    expires: 'Link expires',
    /** `{when}` is date and time. */
    exactly: '{when} (UTC)',
    downloads: 'Downloads',
    downloadsLeft: { one: '{count} left', other: '{count} left' },
    checksum: 'Checksum (SHA-256)',
    checksumHint: 'If your copy has the same one, every byte of it arrived.',
    caution: 'Open it only if you know who sent it.',
  },
  bundle: {
    intro: 'Somebody has shared files with you',
    /** The heading, unless the sender or the folder gives one. */
    title: 'Shared files',
    /** The name of the archive in that case, without its extension. */
    archive: 'shared files',
    count: { one: '{count} file', other: '{count} files' },
    downloadAll: 'Download all',
    /** Below the button. */
    asArchive: 'As one ZIP archive. A download that breaks off can be resumed.',
    files: 'Files',
    empty: 'There are no files here at the moment.',
    pages: 'Pages',
    page: 'Page {page} of {pages}',
    previous: 'Previous page',
    next: 'Next page',
  },
  password: {
    title: 'This link asks for a password',
    text: 'The person who sent you the link can tell you the password.',
    label: 'Password',
    hint: 'Upper and lower case matter.',
    open: 'Open',
    wrong: 'That password is wrong. Check it, then try again.',
    /** Followed by the time of the next attempt. */
    tooMany: 'Too many attempts.',
  },
  over: {
    exhausted: {
      title: 'No downloads left',
      text: 'All downloads of this link are used up. Ask the sender for a new link.',
    },
    expired: { title: 'This link has expired', text: 'Ask the sender for a new link.' },
    'not-found': {
      title: 'Nothing is under this link',
      text:
        'The address may be incomplete, or the sender has taken back the link or the file. ' +
        'Check the address, or ask the sender for a new link.',
    },
  },
  /** The card of a file that must not be named. */
  hiddenCard: { title: 'A shared file', text: 'Open the link to see it.' },
  /** On a card, for people whose app was taken for a robot. `open` leads to the link. */
  cardForPeople: {
    text: 'Apps that show link previews get this page. If you are a person, open the link in your browser.',
    open: 'Open the link',
  },
  failure: {
    title: 'That did not work',
    tooMany: 'Too many requests',
    /** `{when}` is a time from now. */
    tryAgain: 'Try again {when}.',
    /** Error codes that have no page of their own. */
    reasons: {
      ACCESS_DENIED: 'You are not signed in. Sign in, then try again.',
      ACCOUNT_SUSPENDED: 'The operator has stopped this account. Ask them.',
      APIKEY_LIMIT_REACHED: 'Ten keys are live. Revoke one, then try again.',
      BLOCKED_FILE_TYPE: 'Programs are not taken here. Pack it into an archive, or send another file.',
      BODY_TOO_LARGE: 'The form is too long. Shorten it, then send it again.',
      BUNDLE_EMPTY: 'There are no files under this link at the moment. Ask the sender, or try again later.',
      BUNDLE_TOO_LARGE: 'This link leads to more files than one link may. Ask the sender for a smaller folder.',
      FILE_REQUEST_CLOSED: 'This request is closed and takes no more files. Ask the person who sent you the address.',
      FILE_REQUEST_EXPIRED: 'The deadline of this request has passed. Ask the person who sent you the address.',
      FILE_REQUEST_FULL:
        'There is no room left for this file. Send a smaller one, or ask the person who sent you the address.',
      FILE_REQUEST_NOT_FOUND: 'Nothing is under this address. Check it, or ask the person who sent it to you.',
      FILE_REQUEST_PASSWORD_REQUIRED: 'This request asks for a password. Load the page again and enter it.',
      FILE_TOO_LARGE: 'This file is too large. Send a smaller one.',
      FILE_TYPE_NOT_ALLOWED: 'Files of this type are not asked for. Send another one.',
      IMAGE_QUEUE_FULL: 'Too many pictures are being made at the moment. Try again soon.',
      IMAGE_SIGNATURE_REQUIRED: 'This size of the picture is not offered. Ask the sender for another address.',
      IMAGE_TOO_COSTLY: 'Making the picture smaller takes too long. Open it in full size.',
      IMAGE_TOO_LARGE: 'The picture is too large to be made smaller. Open it in full size.',
      IMAGE_UNREADABLE: 'The picture is damaged. Ask the sender to upload it again.',
      INSUFFICIENT_STORAGE: 'The server has no room at the moment. Try again later.',
      INTERNAL_SERVER_ERROR: 'Something went wrong on our side. Try again in a moment.',
      INVALID_BODY: 'This form is incomplete. Load the page again.',
      INVALID_CONDITION: 'The form could not be read. Load the page again.',
      INVALID_CONTENT_TYPE: 'The form could not be read. Load the page again.',
      INVALID_FILE: 'The form has no whole file. Choose a file, then send it again.',
      INVALID_FILENAME: 'This file has no name that can be kept. Rename it, then send it again.',
      INVALID_FORM_TOKEN: 'This form is too old or comes from another page. Load the page again.',
      INVALID_IMAGE_VARIANT: 'This link does not show the picture in that form. Ask the sender for another address.',
      INVALID_SENDER_NAME: 'Enter your name, in up to 80 characters.',
      INVALID_USER_CODE:
        'No request waits under that code. Compare it with the screen of your device, or start again there.',
      METHOD_NOT_ALLOWED: 'This address does not support that kind of request. Open it in a browser.',
      MISSING_SCOPE: 'This key may not do that. Use another key.',
      NOTHING_SENT: 'Nothing was sent from this browser. Send a file first.',
      NOT_AN_IMAGE: 'This file is no picture. Open it without a size in the address.',
      NOT_FOUND: 'The address may be incomplete. Check it, or ask the person who gave it to you.',
      OBJECT_NOT_FOUND: 'The file is no longer there. Go back to the list of files.',
      RATE_LIMITED: 'You sent too many requests in a short time.',
      SERVER_OVERLOADED: 'The server is busy at the moment. Try again in a few seconds.',
      SHARE_EXHAUSTED: 'All downloads of this link are used up. Ask the sender for a new link.',
      SHARE_EXPIRED: 'This link has expired. Ask the sender for a new link.',
      SHARE_NOT_FOUND: 'Nothing is under this link. Check the address, or ask the sender for a new link.',
      SHARE_PASSWORD_REQUIRED: 'This link asks for a password. Load the page again and enter it.',
      STORAGE_UNAVAILABLE: 'The storage is not available at the moment. Try again in a few minutes.',
      TOO_MANY_CONCURRENT_UPLOADS: 'Many people are sending files at the moment. Try again in a few seconds.',
      UPLOAD_FAILED: 'The file could not be stored. Send it again.',
    },
  },
};

/** All page texts in one language. */
export type Messages = typeof en;
