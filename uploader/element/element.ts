import { UploadError } from '../upload-error.ts';
import { uploadFile } from '../upload-file.ts';
import type { Credential } from '../credentials.ts';
import type { UploadHandle, UploadOptions, UploadQuery } from '../options.ts';
import { isAccepted } from './accepted.ts';
import { makeDropZone, partElement } from './drop-zone.ts';
import { queryOf } from './query-of.ts';
import { makeRow, type Row, type RowAction } from './row.ts';
import { elementSheet } from './style.ts';
import { english, type Texts } from './texts.ts';
import { tokenFrom } from './token-url.ts';

/** Files under way at once; each sends three parts at a time, which makes the six that the server takes. */
const filesAtOnce = 2;
const partsOfFile = 3;

interface Item {
  readonly file: File;
  readonly row: Row;
  upload?: UploadHandle;
  /** Paused because the element is not in the page. */
  isLeft?: boolean;
}

/** Where there is no DOM the module can be imported all the same. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/**
 * `<cubby-upload>`: a place to drop or choose files, and the list of them with their progress.
 *
 * Attributes: `base-url`, `token-url`, `prefix`, `private`, `expire`, `overwrite`, `resume-scope`, `accept`, `multiple`, `disabled`.
 * Events, which bubble out of shadow trees: `uploaded` with `{ file, uploaded }`, `failed` with `{ file, error }`, `progress`
 * with `{ file, sentBytes, totalBytes }`.
 */
export class CubbyUpload extends Base {
  static readonly observedAttributes = ['accept', 'multiple', 'disabled'];
  /** An API key or upload token, or a function that gives one; goes before `token-url`. */
  credential: Credential | undefined = early<Credential>(this, 'credential');
  /** More of the upload's query than the attributes say. */
  query: UploadQuery = early<UploadQuery>(this, 'query') ?? {};
  /** More options of `uploadFile()`. */
  options: Partial<UploadOptions> = early<Partial<UploadOptions>>(this, 'options') ?? {};
  #texts: Texts = english;
  readonly #items: Item[] = [];
  readonly #zone = makeDropZone((files) => this.addFiles(files));
  /** Which files were not taken, and why. */
  readonly #note = partElement('p', 'note');
  readonly #list = partElement('ul', 'list');
  readonly #said = partElement('p', 'said');

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [elementSheet()];
    // Safari takes a list without bullets for none.
    this.#list.setAttribute('role', 'list');
    this.#said.setAttribute('role', 'status');
    root.append(this.#zone.element, this.#note, this.#list, this.#said);
    const texts = early<Partial<Texts>>(this, 'texts') ?? {};
    Reflect.deleteProperty(this, 'texts');
    this.texts = texts;
  }

  connectedCallback(): void {
    for (const item of this.#items.filter(({ isLeft }) => isLeft)) {
      item.isLeft = false;
      item.upload?.resume();
    }
    this.#startNext();
  }

  disconnectedCallback(): void {
    // Moved within the page it is back before this runs.
    queueMicrotask(() => {
      if (this.isConnected) return;
      for (const item of this.#items.filter(isRunning)) {
        item.isLeft = true;
        item.upload!.pause();
      }
    });
  }

  attributeChangedCallback(): void {
    this.#zone.allow({ accept: this.getAttribute('accept') ?? '', isMultiple: this.hasAttribute('multiple'), isDisabled: this.hasAttribute('disabled') });
  }

  /** Words in the place of the English ones. */
  set texts(texts: Partial<Texts>) {
    this.#texts = { ...english, ...texts };
    this.#zone.label(this.#texts);
    this.#list.setAttribute('aria-label', this.#texts.list);
  }

  get texts(): Texts {
    return this.#texts;
  }

  /** Takes files as if they had been chosen. */
  addFiles(files: Iterable<File>): void {
    if (this.hasAttribute('disabled')) return;
    const given = Array.from(files);
    const fitting = given.filter((file) => isAccepted(file, this.getAttribute('accept') ?? ''));
    const taken = this.hasAttribute('multiple') ? fitting : fitting.slice(0, 1);
    const refused = given.filter((file) => !fitting.includes(file)).map(({ name }) => name);
    const leftOut = fitting.slice(taken.length).map(({ name }) => name);
    for (const file of taken) {
      const row = makeRow(file, this.#texts, (action) => this.#act(item, action));
      const item: Item = { file, row };
      row.show('waiting');
      this.#items.push(item);
      this.#list.append(row.item);
    }
    const note = [refused.length > 0 ? this.#texts.saysRefused(refused) : '', leftOut.length > 0 ? this.#texts.saysLeftOut(leftOut) : ''].filter(Boolean).join(' ');
    this.#note.textContent = note;
    this.#say([taken.length > 0 ? this.#texts.saysAdded(taken.length) : '', note].filter(Boolean).join(' '));
    this.#startNext();
  }

  #startNext(): void {
    if (!this.isConnected) return;
    const running = this.#items.filter(isRunning).length;
    const waiting = this.#items.filter(({ upload }) => !upload);
    for (const item of waiting.slice(0, Math.max(0, filesAtOnce - running))) this.#start(item);
  }

  #start(item: Item): void {
    const { file, row } = item;
    const upload = uploadFile(file, {
      concurrency: partsOfFile,
      ...(this.hasAttribute('base-url') && { baseUrl: this.getAttribute('base-url')! }),
      ...(this.hasAttribute('resume-scope') && { resumeScope: this.getAttribute('resume-scope')! }),
      ...this.options,
      credential: this.credential ?? tokenFrom(this.getAttribute('token-url')),
      query: { ...queryOf(this), ...this.query },
      onProgress: (progress) => {
        row.showProgress(progress);
        this.#emit('progress', { file, ...progress });
      },
      onState: (state) => {
        if (state !== 'completed' && state !== 'failed') row.show(state);
        this.#startNext();
      },
    });
    item.upload = upload;
    row.show('uploading');
    upload.done.then(
      (uploaded) => {
        row.show('completed', { uploaded });
        this.#say(this.#texts.saysCompleted(file.name));
        this.#emit('uploaded', { file, uploaded });
      },
      (reason: unknown) => this.#fail(item, reason),
    );
  }

  #fail(item: Item, reason: unknown): void {
    const error = reason instanceof UploadError ? reason : new UploadError({ code: 'UNEXPECTED_ANSWER', message: String(reason), retryable: false, cause: reason });
    if (error.code === 'UPLOAD_CANCELLED') return this.#remove(item);
    item.row.show('failed', { error });
    this.#say(this.#texts.saysFailed(item.file.name, error));
    this.#emit('failed', { file: item.file, error });
  }

  #act(item: Item, action: RowAction): void {
    const { file, upload } = item;
    if (action === 'pause') upload?.pause();
    if (action === 'resume') upload?.resume();
    if (action === 'pause') this.#say(this.#texts.saysPaused(file.name));
    if (action === 'resume') this.#say(this.#texts.saysResumed(file.name));
    if (action === 'again') this.#start(item);
    if (action === 'remove') this.#remove(item);
    // What failed is kept to be tried again, and nobody will.
    if (action === 'remove' && upload?.state === 'failed') void upload.cancel();
    if (action !== 'cancel') return;
    this.#say(this.#texts.saysCancelled(file.name));
    if (upload) void upload.cancel();
    else this.#remove(item);
  }

  #remove(item: Item): void {
    const index = this.#items.indexOf(item);
    if (index < 0) return;
    const hadFocus = item.row.item.contains(this.shadowRoot!.activeElement);
    this.#items.splice(index, 1);
    item.row.item.remove();
    // Whoever works with the keyboard stays where they were.
    if (hadFocus) (this.#items[index] ?? this.#items[index - 1])?.row.focus();
    if (hadFocus && this.#items.length === 0) this.#zone.focus();
    this.#startNext();
  }

  #emit(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** Said to those who do not see the list. */
  #say(text: string): void {
    this.#said.textContent = text;
  }
}

function isRunning({ upload }: Item): boolean {
  return upload?.state === 'uploading' || upload?.state === 'checking';
}

/** What a page set on the element before this class was known; reading it here keeps the class's own fields from replacing it. */
function early<T>(element: HTMLElement, name: string): T | undefined {
  return Object.getOwnPropertyDescriptor(element, name)?.value as T | undefined;
}

if (globalThis.customElements && !customElements.get('cubby-upload')) customElements.define('cubby-upload', CubbyUpload);

declare global {
  interface HTMLElementTagNameMap {
    'cubby-upload': CubbyUpload;
  }
}
