/**
 * Files whose texts one request to a model has, in bytes of all places that name them: as many as its body may have.
 * Writing several megabytes as JSON for the model's server would hold the event loop for longer than 50 ms.
 */
export const maxFileTextBytes = 1_048_576;

/** A file that a part of a request stands for. */
export interface NamedFile {
  /** As it was sent. It may be no id at all. */
  readonly id: string;
  /** Where the id is in the request, for messages. */
  readonly place: string;
  readonly title?: string | null | undefined;
  /** What the caller says about the file. */
  readonly context?: string | null | undefined;
}

/** Gives the text that takes the place of a file in the conversation. It is never empty. */
export interface FileTexts {
  textOf(file: NamedFile): string;
}

/** Collects the files that a request names. Until they are read, the id of each stands for its text. */
export class NamedFiles implements FileTexts {
  readonly #files: NamedFile[] = [];

  /** In the order of the request. A file that is named twice is there twice. */
  get list(): readonly NamedFile[] {
    return this.#files;
  }

  textOf(file: NamedFile): string {
    this.#files.push(file);
    return `[${file.id}]`;
  }
}
